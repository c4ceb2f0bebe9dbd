import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BlockRef } from '@roundhouse/chain';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { TransactionsReader, type PlaceInChain, type TransactionsPage } from './transactions.reader.js';

const HEAD: BlockRef = { height: 3000, id: '3000' };
const TOP = { height: HEAD.height, sequence: 2 ** 31 - 1 };
const [ALICE, BOB, CAROL, DORA] = ['A1', 'A2', 'A3', 'A4'];

/**
 * Two transactions in each block: the first from Alice to Bob, the second from Alice to herself. Three are votes. Every
 * tenth of the first 1,000 blocks has a third, a multi-payment from Dora to Carol; two of them pay Bob too, and one Dora.
 * The other payments are only there because PostgreSQL reads a small table as a whole.
 */
const FILL = `
INSERT INTO public_keys (number, height, value) VALUES (1, 1, '\\x0201'), (2, 1, '\\x0204');
INSERT INTO addresses (number, height, value) VALUES (1, 1, 'A1'), (2, 1, 'A2'), (3, 10, 'A3'), (4, 500, 'A4');
INSERT INTO accounts (number, address, public_key, balance, locked, nonce) VALUES (1, 'A1', '\\x0201', 0, 0, 6000), (2, 'A2', NULL, 0, 0, 0), (3, 'A4', '\\x0204', 0, 0, 100);
INSERT INTO blocks (height, id, version, "timestamp", number_of_transactions, total_amount, total_fee, reward, payload_length, generator, block_signature)
SELECT height, int8send(height), 0, height * 8, 2, 0, 0, 0, 0, 1, '\\x30' FROM generate_series(1, 3000) height;
INSERT INTO transactions (block_height, sequence, id, version, type_group, type, "timestamp", sender, recipient, amount, fee)
SELECT height, place, sha256((height || '-' || place)::bytea), 1, 1,
  CASE WHEN place = 0 AND height IN (5, 1500, 2990) THEN 3 ELSE 0 END, 0, 1, 2 - place, height, 1
FROM generate_series(1, 3000) height, generate_series(0, 1) place;
INSERT INTO transactions (block_height, sequence, id, version, type_group, type, "timestamp", sender, recipient, amount, fee)
SELECT height, 2, sha256((height || '-' || 2)::bytea), 1, 1, 6, 0, 2, NULL, 0, 1 FROM generate_series(10, 1000, 10) height;
INSERT INTO payments (recipient, block_height, sequence) SELECT 3, height, 2 FROM generate_series(10, 1000, 10) height;
INSERT INTO payments (recipient, block_height, sequence) SELECT 5 + height % 50, height, 2 FROM generate_series(1, 20000) height;
INSERT INTO payments (recipient, block_height, sequence) VALUES (2, 10, 2), (2, 1000, 2), (4, 500, 2);
INSERT INTO head (height, block_id, "timestamp", supply, delegate_count) VALUES (3000, int8send(3000), 24000, 0, 0)`;

describe('pages of transactions', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let reader: TransactionsReader;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
    await pool.query(FILL);
    reader = new TransactionsReader(pool);
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  type Conditions = Omit<Partial<TransactionsPage>, 'below'>;

  /** All pages, as the heights and places of their transactions. */
  const pagesOf = async (conditions: Conditions) => {
    const pages: string[][] = [];
    let below: TransactionsPage['below'] = TOP;
    let next: PlaceInChain | null;
    do {
      const page = { below, minHeight: 0, limit: 100, ...conditions };
      const listed = await reader.listTransactions(HEAD, page);
      pages.push(listed.rows.map(({ blockHeight, sequence }) => `${blockHeight}-${sequence}`));
      next = listed.next;
      if (next) below = next;
    } while (next);
    return pages;
  };

  it('end early if few of many transactions meet the conditions, and the next ones continue there', async () => {
    const rare = { minAmount: '5', maxAmount: '5', sender: ALICE };
    // Six thousand are six scans exactly, so only a seventh finds that nothing is left.
    expect(await pagesOf(rare)).toEqual([[], [], [], [], [], ['5-1', '5-0'], []]);
    // With the multi-payments, they are 6,100.
    const anywhere = { minAmount: '5', maxAmount: '5' };
    expect(await pagesOf(anywhere)).toEqual([[], [], [], [], [], [], ['5-1', '5-0']]);
    // Each scan looks at 500 transactions to Bob, of 3,002.
    const toBob = await pagesOf({ recipient: BOB, ...anywhere });
    expect(toBob).toEqual([[], [], [], [], [], ['5-0'], []]);
  });

  it('of an account have each transaction once, also one to itself', async () => {
    const all = (await pagesOf({ address: ALICE })).flat();
    expect(all).toHaveLength(6000);
    expect(new Set(all).size).toBe(6000);
    const rare = await pagesOf({ address: ALICE, maxAmount: '5' });
    expect(rare.flat()).toEqual([5, 4, 3, 2, 1].flatMap((height) => [`${height}-1`, `${height}-0`]));
    expect(rare).toHaveLength(19);
    expect((await pagesOf({ address: BOB })).flat()).toHaveLength(3002);
  });

  it('of a recipient have the multi-payments that pay it, in their places', async () => {
    const paid = Array.from({ length: 100 }, (_, place) => `${1000 - 10 * place}-2`);
    for (const name of ['recipient', 'address']) {
      expect(await pagesOf({ [name]: CAROL })).toEqual([paid]);
      expect(await pagesOf({ [name]: CAROL, limit: 60 })).toEqual([paid.slice(0, 60), paid.slice(60)]);
      expect(await pagesOf({ [name]: CAROL, minHeight: 500, typeGroup: 1, type: 6 })).toEqual([
        paid.slice(0, 51),
      ]);
    }
    const toBob = (await pagesOf({ recipient: BOB })).flat();
    expect(toBob).toHaveLength(3002);
    expect(toBob.slice(1999, 2003)).toEqual(['1001-0', '1000-2', '1000-0', '999-0']);
    // Dora pays herself once; that one is in both indexes.
    expect((await pagesOf({ address: DORA })).flat()).toEqual(paid);
    expect((await pagesOf({ recipient: DORA })).flat()).toEqual(['500-2']);
    expect((await pagesOf({ sender: DORA, recipient: BOB })).flat()).toEqual(['1000-2', '10-2']);
    expect((await pagesOf({ address: BOB, recipient: CAROL })).flat()).toEqual(['1000-2', '10-2']);
  });

  it('of a rare type need one page, whatever lies between them', async () => {
    expect(await pagesOf({ typeGroup: 1, type: 3 })).toEqual([['2990-0', '1500-0', '5-0']]);
    expect(await pagesOf({ typeGroup: 1, type: 3, minAmount: '6' })).toEqual([['2990-0', '1500-0']]);
  });

  it('are empty for an address that the chain does not know', async () => {
    for (const name of ['address', 'sender', 'recipient'])
      expect(await pagesOf({ [name]: 'A9', ...(name === 'address' ? {} : { typeGroup: 1 }) })).toEqual([[]]);
  });

  it('are full at their limit, and the last one may be full too', async () => {
    const pages = await pagesOf({ minHeight: 2951 });
    expect(pages.map(({ length }) => length)).toEqual([100]);
    expect((await pagesOf({ minHeight: 2951, limit: 99 })).map(({ length }) => length)).toEqual([99, 1]);
  });
});
