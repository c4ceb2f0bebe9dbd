import { namesOf } from '@roundhouse/entities/sql';
import { keyOf, type Table } from '@roundhouse/entities/tables';
import { escapeLiteral, type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { heightColumnOf } from './snapshot-tables.js';
import { SortedRows } from './sorted-rows.js';

const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Sessions of the indexer's role end if they are idle in a transaction; some limits are new in later versions. */
const LIFT_LIMITS = `
SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN (
  'statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`;

/** Some tables have no index by height, so their rows are sorted; larger ones with files. */
const SORT_MEMORY = `SET LOCAL work_mem = '64MB'`;

export const liftLimits = async (client: ClientBase): Promise<void> => {
  await client.query(LIFT_LIMITS);
};

/** Begins a transaction on each connection; all of them see the same moment. A writer may go on meanwhile. */
export const beginShared = async (clients: readonly ClientBase[]): Promise<void> => {
  const [first, ...others] = clients;
  await Promise.all(clients.map(liftLimits));
  await first!.query(BEGIN);
  const { rows } = await first!.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
  for (const client of others)
    await client.query(`${BEGIN}; SET TRANSACTION SNAPSHOT ${escapeLiteral(rows[0]!.id)}`);
  for (const client of clients) await client.query(SORT_MEMORY);
};

/** How many rows a table has. */
export const countRows = async (client: ClientBase, { name }: Table): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM roundhouse.${name}`);
  return Number(rows[0]!.count);
};

/**
 * The rows of a table, ordered by height, if they have one, and by key; only those above a height, if one is given.
 * Call it within the transaction.
 */
export const sortedRows = (client: ClientBase, table: Table, above: number): SortedRows => {
  const height = heightColumnOf(table);
  const order = height === undefined ? keyOf(table) : [height, ...keyOf(table)];
  // COPY takes no parameters.
  const copied = client.query(
    copyTo(
      `COPY (SELECT ${namesOf(table.columns)} FROM roundhouse.${table.name}
         ${height === undefined ? '' : `WHERE ${height.name} > ${above}`} ORDER BY ${namesOf(order)})
       TO STDOUT (FORMAT binary)`,
    ),
  );
  return new SortedRows(copied, height === undefined ? null : table.columns.indexOf(height));
};
