import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { copyIn, type CopyRows } from './copy.js';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('CREATE TEMPORARY TABLE one (id int PRIMARY KEY, name text)');
  await client.query('CREATE TEMPORARY TABLE other (id int PRIMARY KEY)');
});
afterEach(() => client.end());

const text = (table: string, columns: readonly string[], ...lines: string[]): CopyRows => ({
  table,
  columns,
  format: 'text',
  chunks: lines.map((line) => Buffer.from(`${line}\n`)),
});

const count = async (table: string): Promise<number> => {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0]!.count;
};

/** Far more than a socket takes at once. */
const manyLines = Array.from({ length: 300 }, (_, place) =>
  Array.from({ length: 1_000 }, (_, row) => `${place * 1_000 + row}\tname ${'x'.repeat(50)}`).join('\n'),
);

describe('rows sent into tables', () => {
  it('arrive in any number, and the next query is answered', async () => {
    const [, counted] = await Promise.all([
      copyIn(client, [text('one', ['id', 'name'], ...manyLines), text('other', ['id'], '1')]),
      count('one'),
    ]);
    expect(counted).toBe(300_000);
    expect(await count('other')).toBe(1);
  });

  it.each([
    ['a missing table', text('none', ['id', 'name'], ...manyLines), '42P01'],
    ['a malformed row', text('one', ['id', 'name'], 'x\ta', ...manyLines), '22P02'],
    ['a duplicate row', text('one', ['id', 'name'], '5\ta', ...manyLines), '23505'],
  ])('are all refused because of %s, and the connection stays usable', async (_, wrong, code) => {
    await expect(copyIn(client, [text('other', ['id'], '1'), wrong], ['BEGIN'])).rejects.toMatchObject({
      code,
    });
    await client.query('ROLLBACK');
    expect([await count('one'), await count('other')]).toEqual([0, 0]);
    await copyIn(client, [text('other', ['id'], '1')]);
    expect(await count('other')).toBe(1);
  });
});
