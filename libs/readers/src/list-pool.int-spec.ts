import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import { asUnavailable, QueryTooLongError } from './errors.js';
import { ListPool } from './pools.js';

describe.each([false, true])('ListPool (behind a pooler: %s)', (isPooled) => {
  let database: TestDatabase;
  let pool: ListPool;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new ListPool({
      url: database.url,
      applicationName: 'test',
      isPooled,
      onPoolError: () => undefined,
    });
  });
  afterAll(async () => {
    await pool.close();
    await database.drop();
  });

  it('gives up a query that takes too long, and says so', async () => {
    const startedAt = performance.now();
    const query = pool.query({ name: 'slow', text: 'SELECT pg_sleep(60)' });
    const error: unknown = await query.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(QueryTooLongError);
    expect(asUnavailable(error)).toBe(error);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it('has few connections, which can only read', async () => {
    const text = `SELECT pg_backend_pid() AS pid, pg_sleep(0.1)`;
    const all = await Promise.all(Array.from({ length: 8 }, () => pool.query({ name: 'pid', text })));
    const pids = all.map(({ rows }) => (rows[0] as { pid: number }).pid);
    expect(new Set(pids).size).toBeLessThanOrEqual(3);
    await expect(pool.query({ name: 'write', text: 'CREATE TABLE t ()' })).rejects.toThrow('read-only');
  });
});
