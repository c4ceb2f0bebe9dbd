import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, type TestDatabase } from '@roundhouse/testing';
import { bytesOf } from '../tables/index.js';
import pg from 'pg';
import { signatureText } from './table-sql.js';

const HIGH = 'f1'.repeat(32);
const LOW = '71'.repeat(32);
const SHORT = `00${'f1'.repeat(31)}`;

describe('SQL of a stored signature', () => {
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

  it.each([
    ['DER of low numbers', `30440220${LOW}0220${LOW}`, LOW + LOW],
    ['DER with a high r', `3045022100${HIGH}0220${LOW}`, HIGH + LOW],
    ['DER with a high s', `30450220${LOW}022100${HIGH}`, LOW + HIGH],
    ['DER of high numbers', `3046022100${HIGH}022100${HIGH}`, HIGH + HIGH],
    ['DER with an s of 31 bytes and a 0', `30440220${LOW}0220${SHORT}`, LOW + SHORT],
    ['DER with an r of 31 bytes and a 0', `30440220${SHORT}0220${LOW}`, `30440220${SHORT}0220${LOW}`],
    ['Schnorr', LOW + HIGH, `00${LOW}${HIGH}`],
    ['Schnorr that begins with 0', SHORT + LOW, `00${SHORT}${LOW}`],
    ['63 bytes that begin with 0', `00${LOW}${LOW.slice(4)}`, `0000${LOW}${LOW.slice(4)}`],
    ['a single 0', '00', '0000'],
    ['one byte', '30', '30'],
    ['nothing', '', ''],
  ])('gives the signature: %s', async (_, signature, stored) => {
    const bytes = bytesOf('signature', signature);
    expect(bytes.toString('hex')).toBe(stored);
    const { rows } = await client.query(
      `SELECT ${signatureText('s')} AS text FROM (SELECT $1::bytea AS s) one`,
      [bytes],
    );
    expect(rows).toEqual([{ text: signature }]);
  });

  it('is null for null', async () => {
    const { rows } = await client.query(
      `SELECT ${signatureText('s')} AS text FROM (SELECT NULL::bytea AS s) one`,
    );
    expect(rows).toEqual([{ text: null }]);
  });
});
