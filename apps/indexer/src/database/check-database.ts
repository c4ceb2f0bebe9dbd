import { migrations } from '@roundhouse/entities';
import { Client } from 'pg';
import { OperatorError, tlsAdvice } from '@roundhouse/config';

const CONNECT_TIMEOUT_MS = 5_000;

const SELECT_MIGRATIONS = `SELECT name FROM migrations`;

const UNDEFINED_TABLE = '42P01';

const reasonOf = (error: unknown): string => {
  const { message, code } = error as Error & { code?: string };
  return message || code || String(error);
};

/** Connects or says in one sentence why that does not work. The caller ends the client. */
export const connectDatabase = async (databaseUrl: string): Promise<Client> => {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new OperatorError(
      `DATABASE_URL cannot be reached (${reasonOf(error)}): ${tlsAdvice(error) ?? 'start PostgreSQL or mend the address, user or password'}.`,
      { cause: error },
    );
  }
};

/** Throws `OperatorError` unless the database can be reached and has every migration that this program knows. */
export const checkDatabase = async (databaseUrl: string): Promise<void> => {
  const client = await connectDatabase(databaseUrl);
  try {
    const done = new Set((await readMigrations(client)).map(({ name }) => name));
    if (migrations.some(({ name }) => !done.has(name))) {
      throw new OperatorError(
        'The database has not the tables that this version needs: run "indexer migrate" first.',
      );
    }
  } finally {
    await client.end();
  }
};

const readMigrations = async (client: Client): Promise<{ name: string }[]> => {
  try {
    return (await client.query<{ name: string }>(SELECT_MIGRATIONS)).rows;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
};
