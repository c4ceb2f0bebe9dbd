import { createTestDatabase } from '@roundhouse/testing';
import { Client } from 'pg';

/** A client of a new database with the tables of the index. `close` ends it and drops the database. */
export const connectTestDatabase = async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const close = async (): Promise<void> => {
    await client.end();
    await database.drop();
  };
  return { client, close };
};
