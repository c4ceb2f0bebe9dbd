import { createTestDatabase } from '@roundhouse/testing';
import { Client } from 'pg';

interface ConnectedDatabase {
  readonly client: Client;
  /** Ends the client's session and drops the database. */
  readonly close: () => Promise<void>;
}

/** A new database with the tables of the index, and a client of it. */
export const connectTestDatabase = async (): Promise<ConnectedDatabase> => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return {
    client,
    close: async () => {
      await client.end();
      await database.drop();
    },
  };
};
