import { afterAll, describe, expect, it } from '@jest/globals';
import { withClient } from '@roundhouse/local-postgres';
import pg from 'pg';
import type { TestDatabase } from './test-database.js';
import { createEmptyDatabase, createIndexerDatabase, createTestDatabase } from './test-database.js';

const databases: TestDatabase[] = [];

const kept = async (making: Promise<TestDatabase>): Promise<TestDatabase> => {
  const database = await making;
  databases.push(database);
  return database;
};

const query = ({ url }: TestDatabase, sql: string): Promise<Record<string, unknown>[]> =>
  withClient(url, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);

const countTables =
  "SELECT count(*)::int AS count FROM information_schema.tables WHERE table_schema = 'public'";

describe('test databases', () => {
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.drop()));
  });

  it('have the tables of the index and are separate', async () => {
    const [one, other] = [await kept(createTestDatabase()), await kept(createTestDatabase())];
    await query(one, "INSERT INTO source_status (source, height) VALUES ('here', 7)");
    expect(await query(one, 'SELECT height FROM source_status')).toEqual([{ height: 7 }]);
    expect(await query(other, 'SELECT height FROM source_status')).toEqual([]);
  });

  it('have the tables of the queues if requested', async () => {
    const queues =
      "SELECT count(*)::int > 0 AS found FROM information_schema.tables WHERE table_schema = 'bullmq'";
    const [one, other] = await Promise.all([createIndexerDatabase(), createIndexerDatabase()].map(kept));
    for (const database of [one!, other!]) {
      expect(await query(database, queues)).toEqual([{ found: true }]);
      await query(database, 'SELECT height FROM head');
    }
  });

  it('are empty if requested', async () => {
    expect(await query(await kept(createEmptyDatabase()), countTables)).toEqual([{ count: 0 }]);
  });

  it('can be dropped while a client is connected', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const isCutOff = new Promise((resolve) => client.on('error', resolve));
    await database.drop();
    expect(await isCutOff).toBeInstanceOf(Error);
    await expect(query(database, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});
