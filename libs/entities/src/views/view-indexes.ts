import type { ClientBase } from 'pg';
import { blockIdText, hexText } from '../sql/table-sql.js';
import { idBelow, timeAt } from './block-at.js';
import { addressOf, IS_NO_TRANSFER, keyOf, SELECT_BLIND } from './mentions.js';
import { NODE_ASSET_OF } from './node-asset.js';

/** Finds the wallets of which this is true, if a statement says it like this. */
const walletsIf = (condition: string): string => `sql_wallets (address) WHERE ${condition}`;

const IN_ORDER = `(${timeAt('block_height')}), (sequence::smallint)`;

/** What the statements of programs look for in the views, as the views compute it. One that changes needs another name: only names are compared. */
const INDEXES: Readonly<Record<string, string>> = {
  // In order, for programs that read page after page: `WHERE id > '…' ORDER BY id LIMIT 500`.
  ix_sql_blocks__id_text: `blocks (((${blockIdText('id')})::varchar(64)))`,
  ix_sql_blocks__previous: `blocks USING hash ((${idBelow('height')}))`,
  ix_sql_blocks__timestamp: `blocks ("timestamp")`,
  // In the order of pages, so that it does not matter how often or how long ago somebody forged or sent.
  ix_sql_blocks__generator_height: `blocks ((${keyOf('generator')}), height)`,
  ix_sql_transactions__id_text: `transactions ((${hexText('id')}::varchar(64)))`,
  ix_sql_transactions__asset: `transactions USING gin ((${NODE_ASSET_OF('')}) jsonb_path_ops) WITH (fastupdate = off)`,
  ix_sql_transactions__payments: `transactions USING gin (((${NODE_ASSET_OF('')}) -> 'payments') jsonb_path_ops) WITH (fastupdate = off)`,
  ix_sql_transactions__time: `transactions (${IN_ORDER})`,
  ix_sql_transactions__sender_time: `transactions ((${keyOf('sender')}), ${IN_ORDER})`,
  ix_sql_transactions__recipient_time: `transactions ((${addressOf('recipient')}), ${IN_ORDER})`,
  ix_sql_transactions__type_time: `transactions ((type::smallint), type_group, ${IN_ORDER}) WHERE ${IS_NO_TRANSFER}`,
  ix_sql_rounds__round: `rounds ((round::bigint))`,
  ix_sql_accounts__address: `accounts ((address::varchar(36)))`,
  ix_sql_accounts__key: `accounts ((${hexText('public_key')}::varchar(66)))`,
  ix_sql_accounts__balance: `accounts (balance DESC, (address::varchar(36)))`,
  // Of the whole table: PostgreSQL keeps no statistics of expressions of a part.
  ix_sql_wallets__vote: `sql_wallets ((attributes ->> 'vote'))`,
  ix_sql_wallets__username: `sql_wallets ((attributes -> 'delegate' ->> 'username'))`,
  ix_sql_wallets__rank: `sql_wallets (((attributes -> 'delegate' ->> 'rank')::numeric))`,
  ix_sql_wallets__resigned: walletsIf(`(attributes -> 'delegate' -> 'resigned')::boolean`),
  ix_sql_wallets__members: walletsIf(`attributes -> 'multiSignature' IS NOT NULL`),
  ix_sql_wallets__second_key: walletsIf(`attributes ? 'secondPublicKey'`),
  ix_sql_wallets__locks: walletsIf(`attributes ? 'htlc'`),
  ix_sql_locks__sender: `locks (sender_address)`,
};

const SELECT_NAMES = `SELECT relname AS name FROM pg_class
WHERE relnamespace = 'roundhouse'::regnamespace AND relkind = 'i' AND starts_with(relname, 'ix_sql_')`;

const dropIndexes = async (client: ClientBase, isToGo: (name: string) => boolean): Promise<void> => {
  for (const { name } of (await client.query<{ name: string }>(SELECT_NAMES)).rows)
    if (isToGo(name)) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
};

const SELECT_VALID = `SELECT FROM pg_index WHERE indexrelid = to_regclass('roundhouse.' || $1) AND indisvalid`;

/** Builds those that are missing, while programs read and write. The views are there. Drops those of other versions. */
export const createViewIndexes = async (client: ClientBase): Promise<void> => {
  await client.query('SET enable_seqscan = off');
  const { rows: blind } = await client.query<{ name: string }>(SELECT_BLIND);
  await client.query('RESET enable_seqscan');
  for (const { name } of blind) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  const tables = new Set<string>();
  for (const [name, on] of Object.entries(INDEXES)) {
    if ((await client.query(SELECT_VALID, [name])).rowCount !== 0) continue;
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await client.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`);
    tables.add(on.split(' ', 1)[0]!);
  }
  // The planner knows nothing of expressions before, and a large table is seldom looked at by itself.
  if (tables.size > 0) await client.query(`ANALYZE ${[...tables].join(', ')}`);
  await dropIndexes(client, (name) => !Object.hasOwn(INDEXES, name));
};

export const dropViewIndexes = (client: ClientBase): Promise<void> => dropIndexes(client, () => true);
