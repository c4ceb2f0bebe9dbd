import type { SlowQuery } from '@roundhouse/storage';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import { Pool } from 'pg';
import { tellSlowStatements } from './slow-statements.js';

describe('slow statements', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  const told = async (slowMs: number, work: (pool: Pool) => Promise<unknown>): Promise<SlowQuery[]> => {
    const queries: SlowQuery[] = [];
    const pool = new Pool({ connectionString: database.url, max: 1 });
    tellSlowStatements(pool, slowMs, (slow) => queries.push(slow));
    await work(pool).catch(() => undefined);
    await pool.end();
    return queries;
  };

  it('are told with what they were asked, however large that was', async () => {
    const sql = 'SELECT pg_sleep($1),\n  length($2::bytea), cardinality($3::int[])';
    const [slow] = await told(50, (pool) => pool.query(sql, [0.06, Buffer.alloc(5_000_000), [1, 2, 3]]));
    expect(slow).toMatchObject({
      name: 'SELECT pg_sleep($1), length($2::bytea), cardinality($3::int[])',
      values: [0.06, '5000000 bytes', '3 values'],
    });
    expect(slow!.durationMs).toBeGreaterThanOrEqual(50);
  });

  it('are told where they fail, too', async () => {
    const queries = await told(50, (pool) => pool.query('SELECT pg_sleep(0.06), 1 / (random() * 0)::int'));
    expect(queries).toHaveLength(1);
  });

  it('are not told where they are quick, or with 0', async () => {
    expect(await told(5_000, (pool) => pool.query('SELECT 1'))).toEqual([]);
    expect(await told(0, (pool) => pool.query('SELECT pg_sleep(0.06)'))).toEqual([]);
  });
});
