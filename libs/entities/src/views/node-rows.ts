import { blockIdText, columnOf, FORGING_ROUNDS, hexText, signatureText } from '../sql/table-sql.js';
import { blocks, transactions } from '../tables/index.js';

// The rows of Core 3.9.1's tables: its columns, in their order.

/**
 * Those of `blocks`; `generator` is the key of `b`, `previous` the id below it. Without a join, because PostgreSQL finds max(height)
 * by an index in one table only; in a subquery, so that nobody writes through the view.
 */
export const nodeBlocks = (generator: string, previous: string, join = ''): string => `
SELECT (${blockIdText('b.id')})::varchar(64) AS id, b.version::smallint AS version, b."timestamp",
  ${previous} AS previous_block, b.height,
  ${columnOf('b', blocks, 'numberOfTransactions')} AS number_of_transactions,
  ${columnOf('b', blocks, 'totalAmount')} AS total_amount, ${columnOf('b', blocks, 'totalFee')} AS total_fee, b.reward,
  ${columnOf('b', blocks, 'payloadLength')} AS payload_length,
  ${hexText(columnOf('b', blocks, 'payloadHash'))}::varchar(64) AS payload_hash,
  ${generator} AS generator_public_key, (${signatureText('b.block_signature')})::varchar(256) AS block_signature
FROM (SELECT * FROM blocks) b ${join}`;

/** How some columns of the transaction `t` are computed. */
interface Computed {
  readonly timestamp: string;
  readonly sender: string;
  readonly recipient: string;
  readonly nonce: string;
  readonly serialised: string;
  readonly asset: string;
  /** Other tables in which they look. */
  readonly join?: string;
}

/** Those of `transactions`. */
export const nodeTransactions = (of: Computed): string => `
SELECT ${hexText('t.id')}::varchar(64) AS id, (${columnOf('t', transactions, 'version')})::smallint AS version,
  (${blockIdText('b.id')})::varchar(64) AS block_id, t.sequence::smallint AS sequence,
  ${of.timestamp} AS "timestamp", ${of.sender} AS sender_public_key, ${of.recipient} AS recipient_id, t.type::smallint AS type,
  t.vendor_field, t.amount, t.fee, ${of.serialised} AS serialized, t.type_group, (${of.nonce})::bigint AS nonce,
  ${of.asset} AS asset, t.block_height
FROM transactions t JOIN blocks b ON b.height = t.block_height ${of.join ?? ''}`;

/** Those of `rounds`. PostgreSQL leaves out an outer join of which no column is asked for. */
export const NODE_ROUNDS = `
SELECT ${hexText('d.public_key')}::varchar(66) AS public_key, forger.weight AS balance, r.round::bigint AS round
FROM ${FORGING_ROUNDS} r CROSS JOIN LATERAL unnest(r.forging_order, r.weights) AS forger (number, weight)
  LEFT JOIN delegates d ON d.number = forger.number`;
