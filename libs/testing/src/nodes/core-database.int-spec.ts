import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createEmptyDatabase, type TestDatabase } from '../database/test-database.js';
import { readRecording } from '../recordings.js';
import { loadCoreDatabase } from './core-database.js';

describe.each([
  ['core-2.4', 919, 'vendor_field_hex'],
  ['core-3.9', 996, 'block_height,nonce,type_group,vendor_field'],
] as const)('the database of the node of %s', (recording, transactions, ownColumns) => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await loadCoreDatabase(database.url, recording);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const one = async (sql: string): Promise<unknown> =>
    (await client.query<{ value: unknown }>(`SELECT (${sql}) AS value`)).rows[0]!.value;

  it('holds every row of its tables', async () => {
    expect(await one('SELECT count(*)::int FROM blocks')).toBe(322);
    expect(await one('SELECT count(*)::int FROM transactions')).toBe(transactions);
    expect(await one('SELECT count(*)::int FROM rounds')).toBe(357);
  });

  it("has only the columns of the node's line", async () => {
    expect(
      await one(`SELECT string_agg(column_name, ',' ORDER BY column_name) FROM information_schema.columns
        WHERE table_name = 'transactions' AND column_name IN
          ('vendor_field', 'vendor_field_hex', 'type_group', 'nonce', 'block_height')`),
    ).toBe(ownColumns);
  });

  it('keeps every digit and every byte', async () => {
    expect(await one('SELECT total_amount::text FROM blocks WHERE height = 1')).toBe('12500000000000000');
    const column = ownColumns.split(',').at(-1)!;
    const written = readRecording<Record<string, string>>(
      recording,
      'core-database-transactions.ndjson.gz',
    ).find((row) => row[column] !== null)!;
    const stored = `SELECT concat_ws(' ', serialized, ${column}) FROM transactions WHERE id = '${written['id']}'`;
    expect(await one(stored)).toBe(`${written['serialized']} ${written[column]}`);
    expect(await one(`SELECT pg_typeof(${column})::text FROM transactions LIMIT 1`)).toBe('bytea');
  });
});
