import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import { Pool } from 'pg';
import { DatabaseUnavailableError } from './errors.js';
import { rowsAtHead } from './at-head.js';

describe('a query of the reader', () => {
  let database: TestDatabase;
  const pools: Pool[] = [];

  const ask = (url: string, text: string): Promise<unknown> => {
    const pool = new Pool({ connectionString: url });
    pools.push(pool);
    return rowsAtHead(pool, { height: 1, id: '1' }, { name: 'asked', text });
  };

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.drop();
  });

  it.each([
    ['nothing listens at the address', (url: URL) => (url.port = '1')],
    ['the password was changed', (url: URL) => (url.password = 'old')],
  ])('throws DatabaseUnavailableError if %s', async (_why, change) => {
    const url = new URL(database.url);
    change(url);
    await expect(ask(url.toString(), 'SELECT $1::int, $2::text')).rejects.toBeInstanceOf(
      DatabaseUnavailableError,
    );
  });

  it('throws the error of PostgreSQL if its SQL is wrong', async () => {
    await expect(ask(database.url, 'SELECT $1::int, $2::text FROM nowhere')).rejects.toMatchObject({
      code: '42P01',
    });
  });
});
