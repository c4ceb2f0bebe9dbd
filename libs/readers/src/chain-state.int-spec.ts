import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import { Pool } from 'pg';
import { ChainStateReader } from './chain-state.reader.js';

describe('the silence of the node', () => {
  let database: TestDatabase;
  let pool: Pool;
  let reader: ChainStateReader;
  let now = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url, max: 1 });
  });

  beforeEach(async () => {
    await pool.query(`DELETE FROM source_status`);
    await pool.query(
      `INSERT INTO source_status (source, height, check_interval_ms) VALUES ('here', 5, 10000)`,
    );
    now = 0;
    reader = new ChainStateReader(pool, () => now);
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const silence = async (): Promise<number> => (await reader.readChainState()).sourceSilentSeconds;

  it('is reported only after 15 s and three intervals, counted from its last answer', async () => {
    expect(await silence()).toBe(0);
    await pool.query(`UPDATE source_status SET checked_at = checked_at - interval '30 s'`);
    expect(await silence()).toBe(0);
    await pool.query(`UPDATE source_status SET checked_at = checked_at - interval '20 s'`);
    expect(await silence()).toBeGreaterThan(45);
  });

  it('is noticed if the clock of the database went back a day, and is over with the next answer', async () => {
    await pool.query(`UPDATE source_status SET checked_at = checked_at + interval '1 day'`);
    expect(await silence()).toBe(0);
    now = 30_000;
    expect(await silence()).toBe(0);
    now = 50_000;
    expect(await silence()).toBe(50);
    await pool.query('UPDATE source_status SET checked_at = now()');
    expect(await silence()).toBe(0);
  });
});
