import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, type TestDatabase } from '@roundhouse/testing';
import { Client } from 'pg';
import { migrate } from './migrate.js';
import { migrations, OBSOLETE_MIGRATIONS } from './migrations/index.js';

const names = migrations.map(({ name }) => name);

describe('migrate', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('runs every migration once if two programs migrate at once, and returns their names', async () => {
    const done = await Promise.all([migrate(database.url), migrate(database.url)]);
    expect(done.flat()).toEqual(names);
    const { rows } = await client.query('SELECT name FROM migrations ORDER BY id');
    expect(rows).toEqual(names.map((name) => ({ name })));
  });

  it('runs nothing the second time', async () => {
    expect(await migrate(database.url)).toEqual([]);
  });

  it.each(OBSOLETE_MIGRATIONS)('refuses an index that %s began, and says to index again', async (name) => {
    await client.query('INSERT INTO migrations (timestamp, name) VALUES (1, $1)', [name]);
    await expect(migrate(database.url)).rejects.toThrow(
      /of an older version, .* index again, into an empty database/,
    );
    await client.query('DELETE FROM migrations WHERE timestamp = 1');
  });

  it('gives up if another session keeps a table locked, and says what to do', async () => {
    await client.query('BEGIN; LOCK TABLE migrations IN ACCESS EXCLUSIVE MODE');
    await expect(migrate(database.url, { lockTimeoutMs: 20, attempts: 2 })).rejects.toThrow(
      'A migration could not lock a table that another session has locked',
    );
    await client.query('ROLLBACK');
  });

  it('continues as soon as the table is free again', async () => {
    await client.query('BEGIN; LOCK TABLE migrations IN ACCESS EXCLUSIVE MODE');
    const migrating = migrate(database.url, { lockTimeoutMs: 20, attempts: 1_000 });
    await waitForTimeout(client);
    await client.query('ROLLBACK');
    expect(await migrating).toEqual([]);
  });
});

/** Waits until the migrating session has waited for the table and given up. */
const waitForTimeout = async (client: Client): Promise<void> => {
  const isWaiting = async (): Promise<boolean> => {
    const { rowCount } = await client.query(
      "SELECT FROM pg_locks WHERE relation = 'migrations'::regclass AND NOT granted",
    );
    return rowCount === 1;
  };
  while (!(await isWaiting()));
  while (await isWaiting());
};
