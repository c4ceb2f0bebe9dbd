import type { ClientBase } from 'pg';
import { blockIdText, hexText } from '../sql/table-sql.js';
import { NODE_ASSET_OF } from './node-asset.js';

/** What the statements of programs look for in the views, as the views compute it. */
const INDEXES: Readonly<Record<string, string>> = {
  ix_sql_blocks__id: `blocks USING hash (((${blockIdText('id')})::varchar(64)))`,
  ix_sql_blocks__timestamp: `blocks ("timestamp")`,
  ix_sql_transactions__id: `transactions USING hash ((${hexText('id')}::varchar(64)))`,
  ix_sql_transactions__asset: `transactions USING gin ((${NODE_ASSET_OF('')}) jsonb_path_ops) WITH (fastupdate = off)`,
  ix_sql_transactions__payments: `transactions USING gin (((${NODE_ASSET_OF('')}) -> 'payments') jsonb_path_ops) WITH (fastupdate = off)`,
  // As all lists, without transfers, which are most.
  ix_sql_transactions__type: `transactions ((type::smallint), type_group, block_height, sequence) WHERE type::smallint <> 0 OR type_group <> 1`,
  ix_sql_rounds__round: `rounds ((round::bigint))`,
  ix_sql_public_keys__value: `public_keys ((${hexText('value')}::varchar(66)))`,
  ix_sql_addresses__value: `addresses ((value::varchar(36)))`,
  ix_sql_accounts__address: `accounts ((address::varchar(36)))`,
  ix_sql_accounts__public_key: `accounts ((${hexText('public_key')}::varchar(66))) WHERE public_key IS NOT NULL`,
  ix_sql_accounts__balance: `accounts (balance DESC, (address::varchar(36)))`,
};

const IS_INVALID = `SELECT FROM pg_index JOIN pg_class c ON c.oid = indexrelid
WHERE c.relname = $1 AND c.relnamespace = 'roundhouse'::regnamespace AND NOT indisvalid`;

/** Builds those that are missing, while programs read and write. The views are there. */
export const createViewIndexes = async (client: ClientBase): Promise<void> => {
  for (const [name, on] of Object.entries(INDEXES)) {
    if ((await client.query(IS_INVALID, [name])).rowCount !== 0)
      await client.query(`DROP INDEX CONCURRENTLY ${name}`);
    await client.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`);
  }
};

export const dropViewIndexes = async (client: ClientBase): Promise<void> => {
  for (const name of Object.keys(INDEXES)) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
};
