import { escapeIdentifier, escapeLiteral, type ClientBase } from 'pg';

export type SessionDefaults = Readonly<Record<string, string>>;

/** Sets the defaults of a role's sessions in this database; skips parameters that the server does not have. */
export const setSessionDefaults = async (
  client: ClientBase,
  role: string,
  database: string,
  defaults: SessionDefaults,
): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM pg_settings WHERE name = ANY ($1::text[])',
    [Object.keys(defaults)],
  );
  for (const { name } of rows) {
    await client.query(
      `ALTER ROLE ${escapeIdentifier(role)} IN DATABASE ${escapeIdentifier(database)}
       SET ${name} = ${escapeLiteral(defaults[name]!)}`,
    );
  }
};
