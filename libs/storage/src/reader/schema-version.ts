import { SELECT_LAST_MIGRATION } from './queries/head.queries.js';
import type { ReaderPool } from './reader-pool.js';

/** The name of the newest migration that ran, null before the first. */
export const readSchemaVersion = async (pool: ReaderPool): Promise<string | null> => {
  const { rows } = await pool.query(SELECT_LAST_MIGRATION);
  return (rows[0] as { name: string } | undefined)?.name ?? null;
};
