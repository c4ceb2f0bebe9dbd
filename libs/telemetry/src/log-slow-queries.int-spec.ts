import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, type TestDatabase } from '@roundhouse/testing';
import { Pool, type QueryResult } from 'pg';
import type { Logger } from 'pino';
import { logSlowQueries } from './index.js';

interface Line {
  readonly query: string;
  readonly values: readonly unknown[];
  readonly durationMs: number;
}

describe('a slow query', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });

  afterAll(() => database.drop());

  /** Returns the result or the error of a query, and the lines that are logged meanwhile. */
  const run = async (slowMs: number, query: (pool: Pool) => Promise<QueryResult>) => {
    const lines: Line[] = [];
    const logger = { warn: (line: Line) => lines.push(line) } as unknown as Logger;
    const pool = new Pool({ connectionString: database.url, max: 1 });
    logSlowQueries(pool, slowMs, logger);
    const [outcome] = await Promise.allSettled([query(pool)]);
    await pool.end();
    return { outcome, lines };
  };

  const sleep = (pool: Pool) =>
    pool.query({ name: 'sleep', text: 'SELECT $1::int AS one FROM pg_sleep(0.06)', values: [1] });

  it('returns its rows', async () => {
    const { outcome } = await run(50, sleep);
    expect(outcome).toMatchObject({ status: 'fulfilled', value: { rows: [{ one: 1 }] } });
  });

  it('is logged with its text if it has no name, and with large values shortened', async () => {
    const sql = 'SELECT pg_sleep($1),\n  length($2::bytea), cardinality($3::int[]), length($4::bytea)';
    const { lines } = await run(50, (pool) =>
      pool.query(sql, [0.06, Buffer.alloc(5_000_000), [1, 2, 3], Buffer.from([1, 255])]),
    );
    expect(lines).toMatchObject([
      {
        query: 'SELECT pg_sleep($1), length($2::bytea), cardinality($3::int[]), length($4::bytea)',
        values: [0.06, '5000000 bytes', '3 values', '\\x01ff'],
      },
    ]);
  });

  it('is logged if it fails, and rejects with its error', async () => {
    const { outcome, lines } = await run(50, (pool) =>
      pool.query('SELECT pg_sleep(0.06), 1 / (random() * 0)::int'),
    );
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } });
    expect(lines).toHaveLength(1);
  });

  it('is logged if it only waits for a connection', async () => {
    const { lines } = await run(50, async (pool) => {
      const [, quick] = await Promise.all([pool.query('SELECT pg_sleep(0.06)'), pool.query('SELECT 1')]);
      return quick;
    });
    expect(lines.map(({ query }) => query)).toEqual(['SELECT pg_sleep(0.06)', 'SELECT 1']);
  });
});
