import { escapeIdentifier, type ClientBase } from 'pg';
import { INDEX_SCHEMA } from '../session.js';

/**
 * TypeORM's table of migrations. A role that can write to it could make a program believe that the schema is a
 * different one.
 */
export const LEDGER = 'migrations';

const SELECT_OWN = `
SELECT relname AS name
FROM pg_class
WHERE relnamespace = '${INDEX_SCHEMA}'::regnamespace AND relkind = ANY ($1::"char"[])
  AND pg_get_userbyid(relowner) = current_user
ORDER BY relname`;

/** Names of the objects in the schema of the index that the migrating role owns: it cannot grant rights on others. */
const listOwn = async (client: ClientBase, kinds: readonly string[]): Promise<string[]> =>
  (await client.query<{ name: string }>(SELECT_OWN, [kinds])).rows.map(({ name }) => name);

export const listOwnTables = (client: ClientBase): Promise<string[]> => listOwn(client, ['r', 'p', 'v', 'm']);

export const listOwnSequences = (client: ClientBase): Promise<string[]> => listOwn(client, ['S']);

/** `roundhouse.a, roundhouse.b`, quoted. */
export const inIndex = (names: readonly string[]): string =>
  names.map((name) => `${INDEX_SCHEMA}.${escapeIdentifier(name)}`).join(', ');

export const currentDatabase = async (client: ClientBase): Promise<string> =>
  (await client.query<{ name: string }>('SELECT current_database() AS name')).rows[0]!.name;

/** Every role has the rights of PUBLIC, so no grant can be narrower than these defaults. */
export const narrowPublic = async (client: ClientBase, database: string): Promise<void> => {
  await client.query(`
    REVOKE TEMPORARY ON DATABASE ${escapeIdentifier(database)} FROM PUBLIC;
    REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
};
