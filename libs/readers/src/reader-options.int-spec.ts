import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { readerDataSourceOptions } from './pools.js';

describe("the reader's sessions", () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let pool: Pool;
  const told: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource(
      readerDataSourceOptions({
        url: database.url,
        poolSize: 2,
        applicationName: 'reader-test',
        isPooled: false,
        onPoolError: ({ message }) => told.push(message),
        onOpen: (opened) => (pool = opened),
      }),
    ).initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('can only read', async () => {
    await expect(dataSource.query('DELETE FROM blocks')).rejects.toThrow('read-only transaction');
  });

  it('compile no statement', async () => {
    expect(await dataSource.query('SHOW jit')).toEqual([{ jit: 'off' }]);
  });

  it('never exceed the size of the pool, however many queries wait', async () => {
    const count = `SELECT count(*)::int AS count, pg_sleep(0.01) FROM pg_stat_activity WHERE application_name = 'reader-test'`;
    const asked = await Promise.all(Array.from({ length: 6 }, () => dataSource.query(count)));
    expect(Math.max(...asked.map(([row]: { count: number }[]) => row!.count))).toBe(2);
  });

  it('are in the pool that the readers get', async () => {
    const { rows } = await pool.query('SHOW application_name');
    expect(rows).toEqual([{ application_name: 'reader-test' }]);
    expect(pool.totalCount).toBeGreaterThan(0);
  });

  it('tell the loss of an idle one once', () => {
    // As pg's pool does when one is lost.
    pool.emit('error', new Error('lost'), undefined);
    expect(told).toEqual(['lost']);
  });

  it('have a time limit for statements', async () => {
    expect(await dataSource.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '5s' }]);
  });
});
