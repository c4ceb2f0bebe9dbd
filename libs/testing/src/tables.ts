import type { ClientBase } from 'pg';

/**
 * Every table that the chain alone determines: all except staging, undo records, data reported by the source, and
 * clocks.
 */
const CHAIN_TABLES = {
  head: ['height', 'block_id', '"timestamp"', 'supply', 'delegate_count'],
  blocks: ['*'],
  transactions: ['*'],
  accounts: ['*'],
  delegates: ['*'],
  locks: ['*'],
  rounds: ['*'],
  round_digests: ['*'],
} as const;

export type TablesSnapshot = Readonly<Record<keyof typeof CHAIN_TABLES, readonly string[]>>;

/** All rows of those tables in PostgreSQL's text form, sorted by that text. Equal if the tables are equal. */
export const snapshotTables = async (client: ClientBase): Promise<TablesSnapshot> => {
  const snapshot: Record<string, readonly string[]> = {};
  for (const [table, columns] of Object.entries(CHAIN_TABLES)) {
    const { rows } = await client.query<{ row: string }>(
      `SELECT t::text AS row FROM (SELECT ${columns.join(', ')} FROM ${table}) AS t ORDER BY t::text COLLATE "C"`,
    );
    snapshot[table] = rows.map(({ row }) => row);
  }
  return snapshot as TablesSnapshot;
};
