import { describe, expect, it } from '@jest/globals';
import type { ReaderPool } from './reader-pool.js';
import { tellSlowQueries, type SlowQuery } from './slow-queries.js';

const STATEMENT = { name: 'block', text: 'SELECT 1', values: [7] };

const busyFor = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

const poolTaking = (ms: number, outcome: Promise<{ rows: unknown[] }>): ReaderPool => ({
  query: () => {
    busyFor(ms);
    return outcome;
  },
});

const collect = (pool: ReaderPool, slowMs: number) => {
  const told: SlowQuery[] = [];
  return { told, pool: tellSlowQueries(pool, slowMs, (query) => told.push(query)) };
};

describe('tellSlowQueries', () => {
  const rows = Promise.resolve({ rows: [1] });

  it('tells of a slow query with its values, and gives its rows', async () => {
    const { told, pool } = collect(poolTaking(20, rows), 20);
    expect(await pool.query(STATEMENT)).toEqual({ rows: [1] });
    expect(told).toEqual([{ name: 'block', values: [7], durationMs: expect.any(Number) }]);
    expect(told[0]!.durationMs).toBeGreaterThanOrEqual(20);
  });

  it('tells of one that fails, too, and throws what it throws', async () => {
    const { told, pool } = collect(poolTaking(20, Promise.reject(new Error('cancelled'))), 20);
    await expect(pool.query(STATEMENT)).rejects.toThrow('cancelled');
    expect(told).toHaveLength(1);
  });

  it.each([
    ['a quick query', 0, 1000],
    ['any query where 0 is slow', 20, 0],
  ])('does not tell of %s', async (_, ms, slowMs) => {
    const { told, pool } = collect(poolTaking(ms, rows), slowMs);
    await pool.query(STATEMENT);
    expect(told).toEqual([]);
  });
});
