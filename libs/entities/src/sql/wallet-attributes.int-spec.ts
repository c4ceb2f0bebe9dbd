import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { RESTARTED_VENDOR_FIELD } from './wallet-attributes.js';

/** Digits of bytes that are UTF-8, begin it, or are neither: each pair of them, and more of each length. */
const PARTS = [
  '41',
  '7f',
  '80',
  'bf',
  'c0',
  'c2',
  'c3a9',
  'df',
  'e0',
  'e0a080',
  'e08080',
  'e1',
  'e180',
  'e282ac',
  'ed',
  'ed9fbf',
  'eda080',
  'ef',
  'efbfbd',
  'f0',
  'f09080',
  'f09f9a82',
  'f08080',
  'f3',
  'f4',
  'f48fbfbf',
  'f490',
  'f5',
  'ff',
];

const FIELDS = [
  ...PARTS.flatMap((one) => PARTS.map((other) => one + other)),
  '',
  '4',
  'C3A9',
  '41zz42',
  'zz',
  '4100ff',
];

/** What a restarted node shows, but for NUL, which jsonb cannot hold. */
const restarted = (field: string): string => Buffer.from(field, 'hex').toString().replaceAll('\0', '\ufffd');

describe('the vendor field of a lock, as SQL', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('is the text that a restarted node reads from its digits', async () => {
    const { rows } = await client.query<{ field: string; text: string }>(
      `SELECT convert_from(t.vendor_field, 'UTF8') AS field, ${RESTARTED_VENDOR_FIELD} AS text
       FROM unnest($1::bytea[]) AS t (vendor_field)`,
      [FIELDS.map((field) => Buffer.from(field))],
    );
    expect(rows).toEqual(FIELDS.map((field) => ({ field, text: restarted(field) })));
  });
});
