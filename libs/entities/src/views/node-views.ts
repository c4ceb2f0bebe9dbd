import { NODE_NONCE } from '../sql/node-transaction.js';
import { hexText } from '../sql/table-sql.js';
import { BLOCK_FUNCTIONS, idBelow, timeAt } from './block-at.js';
import { addressOf, keyOf, MENTION_FUNCTIONS } from './mentions.js';
import { NODE_ASSET_FUNCTION, NODE_ASSET_OF } from './node-asset.js';
import { NODE_ROUNDS, nodeBlocks, nodeTransactions } from './node-rows.js';
import { DROP_WALLETS, NODE_WALLETS, STORE_WALLETS } from './node-wallets.js';
import { serialisedOf, SERIALISERS } from './serialised.js';

/** An index gives as many in a tenth of a millisecond. */
const MOST_LATER = 1000;

/** `NODE_NONCE`, but the newest transactions of a sender do not count all that it ever sent. The fence lets them be counted once. */
const NONCE = `coalesce(t.nonce, (SELECT CASE WHEN later.count = ${MOST_LATER} THEN ${NODE_NONCE} ELSE
    (SELECT nonce FROM accounts WHERE ${hexText('public_key')}::varchar(66) = ${keyOf('t.sender')}) - later.count
    - (SELECT count(*) FROM transactions beside WHERE beside.sender = t.sender AND beside.block_height = t.block_height
      AND beside.sequence > t.sequence) END
  FROM (SELECT count(*) FROM (SELECT FROM transactions e
    WHERE e.sender = t.sender AND e.block_height > t.block_height LIMIT ${MOST_LATER}) above OFFSET 0) later))`;

const TRANSACTIONS = nodeTransactions({
  timestamp: timeAt('t.block_height'),
  sender: keyOf('t.sender'),
  recipient: addressOf('t.recipient'),
  nonce: NONCE,
  serialised: serialisedOf(
    '(SELECT value FROM public_keys WHERE number = t.sender)',
    '(SELECT value FROM addresses WHERE number = t.recipient)',
  ),
  asset: NODE_ASSET_OF('t.'),
});

/** Newest first, and nothing. PostgreSQL finds max(round) by an index in one table or in what a UNION ALL reads in order. */
const ROUNDS = `(${NODE_ROUNDS} ORDER BY round DESC)
UNION ALL SELECT NULL::varchar(66), NULL::bigint, NULL::bigint WHERE false`;

const VIEWS = {
  blocks: nodeBlocks(keyOf('b.generator'), idBelow('b.height')),
  transactions: TRANSACTIONS,
  rounds: ROUNDS,
  wallets: NODE_WALLETS,
};

/** The last block in which the wallet sent, received or forged; null if its balance has changed in other ways alone. */
const UPDATED_AT = `
CREATE OR REPLACE FUNCTION public.updated_at(wallet public.wallets) RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = roundhouse, pg_temp
BEGIN ATOMIC
  SELECT (SELECT (configuration #>> '{milestones,0,epoch}')::timestamptz FROM network) + b."timestamp" * interval '1 second'
  FROM blocks b WHERE b.height = greatest(
    (SELECT max(height) FROM blocks WHERE ${keyOf('generator')} = wallet.public_key),
    (SELECT max(block_height) FROM transactions WHERE sender = (SELECT number FROM public_keys WHERE value = decode(wallet.public_key, 'hex'))),
    (SELECT max(block_height) FROM transactions WHERE recipient = (SELECT number FROM addresses WHERE value = wallet.address)),
    (SELECT max(block_height) FROM payments WHERE recipient = (SELECT number FROM addresses WHERE value = wallet.address)));
END;`;

export const VIEW_NAMES = Object.keys(VIEWS);

export const CREATE_VIEWS = `${SERIALISERS}
${NODE_ASSET_FUNCTION}
${MENTION_FUNCTIONS}
${BLOCK_FUNCTIONS}
${STORE_WALLETS}
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
${DROP_WALLETS}
    DROP FUNCTION IF EXISTS roundhouse.key_of, roundhouse.address_of, roundhouse.id_below, roundhouse.id_at, roundhouse.time_at,
      roundhouse.node_asset, roundhouse.payload, roundhouse.base58_bytes, roundhouse.little_endian;
  END IF;
END
$$;`;
