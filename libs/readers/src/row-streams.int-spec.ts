import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { openStreams, textOf } from './row-streams.harness.js';
import type { RowStreams } from './row-streams.js';

/** The limits of short answers, as a role has them. A server before 17 lacks the last. */
const LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout'];

describe('a long list', () => {
  let database: TestDatabase;
  let streams: RowStreams;

  beforeAll(async () => {
    database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      'SELECT name FROM pg_settings WHERE name = ANY ($1)',
      [LIMITS],
    );
    const name = new URL(database.url).pathname.slice(1);
    for (const limit of rows) await client.query(`ALTER DATABASE ${name} SET ${limit.name} = '500ms'`);
    await client.end();
    streams = openStreams(database.url);
  });

  afterAll(async () => {
    await streams.close();
    await database.drop();
  });

  const read = (rows: string): Promise<string> =>
    textOf(streams.read({ height: 1, id: '1' }, { name: 'list', text: rows }, []));

  it('may take longer than the short answers of the role, and frees its connection', async () => {
    const rows = `SELECT '{}' FROM generate_series(1, 3) WHERE pg_sleep(0.3) IS NOT NULL`;
    expect(await read(rows)).toBe('{},{},{}');
    expect(await read('SELECT 1')).toBe('1');
  });

  it('cannot write', async () => {
    await expect(read("DELETE FROM head RETURNING '{}'")).rejects.toThrow('read-only transaction');
  });
});
