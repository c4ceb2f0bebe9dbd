import { NODE_NONCE } from '../sql/node-transaction.js';
import { blockIdText, columnOf, FORGING_ROUNDS, hexText, signatureText } from '../sql/table-sql.js';
import { ATTRIBUTES, LOOK_DELEGATE } from '../sql/wallet-attributes.js';
import { blocks, transactions } from '../tables/index.js';
import { NODE_ASSET_FUNCTION, NODE_ASSET_OF } from './node-asset.js';
import { SERIALISED, SERIALISERS } from './serialised.js';

// The columns of Core 3.9.1's tables, in their order.

const blocksWith = (previous: string): string => `
SELECT (${blockIdText('b.id')})::varchar(64) AS id, b.version::smallint AS version, b."timestamp",
  (${previous})::varchar(64) AS previous_block, b.height,
  ${columnOf('b', blocks, 'numberOfTransactions')} AS number_of_transactions,
  ${columnOf('b', blocks, 'totalAmount')} AS total_amount, ${columnOf('b', blocks, 'totalFee')} AS total_fee, b.reward,
  ${columnOf('b', blocks, 'payloadLength')} AS payload_length,
  ${hexText(columnOf('b', blocks, 'payloadHash'))}::varchar(64) AS payload_hash,
  ${hexText('k.value')}::varchar(66) AS generator_public_key, (${signatureText('b.block_signature')})::varchar(256) AS block_signature`;

// Without an outer join: a condition on previous_block could not use an index through one.
const BLOCKS = `${blocksWith(blockIdText('p.id'))}
FROM blocks b JOIN blocks p ON p.height = b.height - 1 AND b.height = p.height + 1 JOIN public_keys k ON k.number = b.generator
UNION ALL ${blocksWith("'0'")}
FROM blocks b JOIN public_keys k ON k.number = b.generator WHERE b.height = 1`;

const TRANSACTIONS = `
SELECT ${hexText('t.id')}::varchar(64) AS id, (${columnOf('t', transactions, 'version')})::smallint AS version,
  (${blockIdText('b.id')})::varchar(64) AS block_id, t.sequence::smallint AS sequence, b."timestamp",
  ${hexText('k.value')}::varchar(66) AS sender_public_key, a.value::varchar(36) AS recipient_id, t.type::smallint AS type,
  t.vendor_field, t.amount, t.fee, ${SERIALISED} AS serialized, t.type_group, (${NODE_NONCE})::bigint AS nonce,
  ${NODE_ASSET_OF('t.')} AS asset, t.block_height
FROM transactions t JOIN blocks b ON b.height = t.block_height JOIN public_keys k ON k.number = t.sender
  LEFT JOIN addresses a ON a.number = t.recipient`;

const ROUNDS = `
SELECT ${hexText('d.public_key')}::varchar(66) AS public_key, forger.weight AS balance, r.round::bigint AS round
FROM ${FORGING_ROUNDS} r CROSS JOIN LATERAL unnest(r.forging_order, r.weights) AS forger (number, weight)
  JOIN delegates d ON d.number = forger.number`;

const WALLETS = `
SELECT a.address::varchar(36) AS address, ${hexText('a.public_key')}::varchar(66) AS public_key, a.balance, a.nonce::bigint AS nonce,
  ${ATTRIBUTES} AS attributes
FROM accounts a ${LOOK_DELEGATE}`;

const VIEWS = { blocks: BLOCKS, transactions: TRANSACTIONS, rounds: ROUNDS, wallets: WALLETS };

/** The last block in which the wallet sent, received or forged; null if its balance has changed in other ways alone. */
const UPDATED_AT = `
CREATE OR REPLACE FUNCTION public.updated_at(wallet public.wallets) RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = roundhouse, pg_temp
BEGIN ATOMIC
  SELECT (SELECT (configuration #>> '{milestones,0,epoch}')::timestamptz FROM network) + b."timestamp" * interval '1 second'
  FROM blocks b WHERE b.height = greatest(
    (SELECT max(block_height) FROM transactions WHERE sender = (SELECT number FROM public_keys WHERE value = decode(wallet.public_key, 'hex'))),
    (SELECT max(block_height) FROM transactions WHERE recipient = (SELECT number FROM addresses WHERE value = wallet.address)),
    (SELECT max(block_height) FROM payments WHERE recipient = (SELECT number FROM addresses WHERE value = wallet.address)));
END;`;

export const VIEW_NAMES = Object.keys(VIEWS);

export const CREATE_VIEWS = `${SERIALISERS}
${NODE_ASSET_FUNCTION}
${Object.entries(VIEWS)
  .map(([name, rows]) => `CREATE OR REPLACE VIEW public.${name} AS ${rows};`)
  .join('\n')}
${UPDATED_AT}`;

// Stand-ins for old programs have some of these names. Only the views have this function.
export const FIND_VIEWS = `SELECT to_regproc('public.updated_at') IS NOT NULL AS found`;

export const DROP_VIEWS = `
DO $$
BEGIN
  IF to_regproc('public.updated_at') IS NOT NULL THEN
    DROP FUNCTION public.updated_at;
    DROP VIEW ${VIEW_NAMES.map((name) => `public.${name}`).join(', ')};
    DROP FUNCTION IF EXISTS roundhouse.end_long_statements();
    DROP FUNCTION roundhouse.node_asset, roundhouse.payload, roundhouse.base58_bytes, roundhouse.little_endian;
  END IF;
END
$$;`;
