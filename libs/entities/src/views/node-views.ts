import { NODE_ASSET, NODE_NONCE } from '../sql/node-transaction.js';
import { blockIdText, columnOf, FORGING_ROUNDS, hexText, signatureText } from '../sql/table-sql.js';
import { ATTRIBUTES, LOOK_DELEGATE } from '../sql/wallet-attributes.js';
import { blocks, transactions } from '../tables/index.js';
import { SERIALISED, SERIALISERS } from './serialised.js';

// The columns of Core 3.9.1's tables, in their order.

const BLOCKS = `
SELECT (${blockIdText('b.id')})::varchar(64) AS id, b.version::smallint AS version, b."timestamp",
  (CASE WHEN b.height = 1 THEN '0' ELSE ${blockIdText('p.id')} END)::varchar(64) AS previous_block, b.height,
  ${columnOf('b', blocks, 'numberOfTransactions')} AS number_of_transactions,
  ${columnOf('b', blocks, 'totalAmount')} AS total_amount, ${columnOf('b', blocks, 'totalFee')} AS total_fee, b.reward,
  ${columnOf('b', blocks, 'payloadLength')} AS payload_length,
  ${hexText(columnOf('b', blocks, 'payloadHash'))}::varchar(64) AS payload_hash,
  ${hexText('k.value')}::varchar(66) AS generator_public_key, (${signatureText('b.block_signature')})::varchar(256) AS block_signature
FROM blocks b LEFT JOIN blocks p ON p.height = b.height - 1 LEFT JOIN public_keys k ON k.number = b.generator`;

const TRANSACTIONS = `
SELECT ${hexText('t.id')}::varchar(64) AS id, (${columnOf('t', transactions, 'version')})::smallint AS version,
  (${blockIdText('b.id')})::varchar(64) AS block_id, t.sequence::smallint AS sequence, b."timestamp",
  ${hexText('k.value')}::varchar(66) AS sender_public_key, a.value::varchar(36) AS recipient_id, t.type::smallint AS type,
  t.vendor_field, t.amount, t.fee, ${SERIALISED} AS serialized, t.type_group, (${NODE_NONCE})::bigint AS nonce,
  ${NODE_ASSET} AS asset, t.block_height
FROM transactions t LEFT JOIN blocks b ON b.height = t.block_height LEFT JOIN public_keys k ON k.number = t.sender
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
CREATE FUNCTION public.updated_at(wallet public.wallets) RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = roundhouse, pg_temp
BEGIN ATOMIC
  SELECT (SELECT (configuration #>> '{milestones,0,epoch}')::timestamptz FROM network) + b."timestamp" * interval '1 second'
  FROM blocks b WHERE b.height = greatest(
    (SELECT max(block_height) FROM transactions WHERE sender = (SELECT number FROM public_keys WHERE value = decode(wallet.public_key, 'hex'))),
    (SELECT max(block_height) FROM transactions WHERE recipient = (SELECT number FROM addresses WHERE value = wallet.address)),
    (SELECT max(block_height) FROM payments WHERE recipient = (SELECT number FROM addresses WHERE value = wallet.address)));
END;`;

const NAMES = Object.keys(VIEWS);

export const CREATE_VIEWS = `${SERIALISERS}
${Object.entries(VIEWS)
  .map(([name, rows]) => `CREATE VIEW public.${name} AS ${rows};`)
  .join('\n')}
${UPDATED_AT}`;

// Stand-ins for old programs have some of these names. Only the views have this function.
export const FIND_VIEWS = `SELECT to_regproc('public.updated_at') IS NOT NULL AS found`;

export const DROP_VIEWS = `
DO $$
BEGIN
  IF to_regproc('public.updated_at') IS NOT NULL THEN
    DROP FUNCTION public.updated_at;
    DROP VIEW ${NAMES.map((name) => `public.${name}`).join(', ')};
    DROP FUNCTION roundhouse.payload, roundhouse.base58_bytes, roundhouse.little_endian;
  END IF;
END
$$;`;
