import { chainColumns, COMPARED_TABLES, roundDigests } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';

/** Every table that the chain alone determines, with the columns that it determines. */
const CHAIN_TABLES = [...COMPARED_TABLES, roundDigests];

/** By table. */
export type TablesSnapshot = Readonly<Record<string, readonly string[]>>;

/** All rows of those tables in PostgreSQL's text form, sorted by that text. Equal if the tables are equal. */
export const snapshotTables = async (client: ClientBase): Promise<TablesSnapshot> => {
  const snapshot: Record<string, readonly string[]> = {};
  for (const table of CHAIN_TABLES) {
    const columns = chainColumns(table).map(({ name }) => name);
    const { rows } = await client.query<{ row: string }>(
      `SELECT t::text AS row FROM (SELECT ${columns.join(', ')} FROM ${table.name}) AS t ORDER BY t::text COLLATE "C"`,
    );
    snapshot[table.name] = rows.map(({ row }) => row);
  }
  return snapshot;
};
