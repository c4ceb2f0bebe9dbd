import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { TEMPLATE_DATABASE, withDatabase } from './database-url.js';

export interface TestDatabase {
  readonly url: string;
  /** Ends the sessions that are still open in it, too. */
  drop(): Promise<void>;
}

const serverUrl = (): string => {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined)
    throw new Error('No test server: run the tests by the root jest.config.js, which starts one.');
  return url;
};

const onServer = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

const create = async (template: string): Promise<TestDatabase> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    url: withDatabase(serverUrl(), name),
    drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
};

/** A database of its own with the index's tables, empty. */
export const createTestDatabase = (): Promise<TestDatabase> => create(TEMPLATE_DATABASE);

/** A database of its own with nothing in it. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('template0');
