import type { ClientBase, Pool } from 'pg';

/** The names of the indexes that lists of the api need and that are not built yet, in the order in which they are. */
export const readMissingIndexes = async (db: Pool | ClientBase): Promise<readonly string[]> =>
  (await db.query<{ name: string }>('SELECT name FROM missing_indexes()')).rows.map(({ name }) => name);

/** Builds one. Null if none is missing. Readers go on meanwhile; writers of the table wait. */
export const buildMissingIndex = async (client: ClientBase): Promise<string | null> =>
  (await client.query<{ name: string | null }>('SELECT build_missing_index() AS name')).rows[0]!.name;

/** Builds all that are missing. */
export const buildMissingIndexes = async (client: ClientBase): Promise<void> => {
  while ((await buildMissingIndex(client)) !== null);
};
