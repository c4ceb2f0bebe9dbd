import { blockIdText, columnOf, FORGING_ROUNDS, hexText, signatureText } from '../sql/table-sql.js';
import { blocks, transactions } from '../tables/index.js';

// The rows of Core 3.9.1's tables: its columns, in their order.

const blocksWith = (previous: string): string => `
SELECT (${blockIdText('b.id')})::varchar(64) AS id, b.version::smallint AS version, b."timestamp",
  (${previous})::varchar(64) AS previous_block, b.height,
  ${columnOf('b', blocks, 'numberOfTransactions')} AS number_of_transactions,
  ${columnOf('b', blocks, 'totalAmount')} AS total_amount, ${columnOf('b', blocks, 'totalFee')} AS total_fee, b.reward,
  ${columnOf('b', blocks, 'payloadLength')} AS payload_length,
  ${hexText(columnOf('b', blocks, 'payloadHash'))}::varchar(64) AS payload_hash,
  ${hexText('k.value')}::varchar(66) AS generator_public_key, (${signatureText('b.block_signature')})::varchar(256) AS block_signature`;

// Without an outer join: a condition on previous_block could not use an index through one.
/** Those of `blocks`. */
export const NODE_BLOCKS = `${blocksWith(blockIdText('p.id'))}
FROM blocks b JOIN blocks p ON p.height = b.height - 1 AND b.height = p.height + 1 JOIN public_keys k ON k.number = b.generator
UNION ALL ${blocksWith("'0'")}
FROM blocks b JOIN public_keys k ON k.number = b.generator WHERE b.height = 1`;

/** How some columns of the transaction `t`, with the sender `k` and the recipient `a`, are computed. */
interface Computed {
  readonly nonce: string;
  readonly serialised: string;
  readonly asset: string;
  /** Another table in which they look. */
  readonly join?: string;
}

/** Those of `transactions`. */
export const nodeTransactions = ({ nonce, serialised, asset, join = '' }: Computed): string => `
SELECT ${hexText('t.id')}::varchar(64) AS id, (${columnOf('t', transactions, 'version')})::smallint AS version,
  (${blockIdText('b.id')})::varchar(64) AS block_id, t.sequence::smallint AS sequence, b."timestamp",
  ${hexText('k.value')}::varchar(66) AS sender_public_key, a.value::varchar(36) AS recipient_id, t.type::smallint AS type,
  t.vendor_field, t.amount, t.fee, ${serialised} AS serialized, t.type_group, (${nonce})::bigint AS nonce,
  ${asset} AS asset, t.block_height
FROM transactions t JOIN blocks b ON b.height = t.block_height JOIN public_keys k ON k.number = t.sender
  LEFT JOIN addresses a ON a.number = t.recipient ${join}`;

/** Those of `rounds`. */
export const NODE_ROUNDS = `
SELECT ${hexText('d.public_key')}::varchar(66) AS public_key, forger.weight AS balance, r.round::bigint AS round
FROM ${FORGING_ROUNDS} r CROSS JOIN LATERAL unnest(r.forging_order, r.weights) AS forger (number, weight)
  JOIN delegates d ON d.number = forger.number`;
