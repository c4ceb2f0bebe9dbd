import { escapeIdentifier, escapeLiteral, type ClientBase } from 'pg';

export type SessionDefaults = Readonly<Record<string, string>>;

/** Sets what a role's sessions in this database begin with; a parameter that the server does not know is left out. */
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
