import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EMPTY_PAYLOAD_HASH } from '@roundhouse/chain';
import type { Block, Transaction } from '@roundhouse/chain';
import { createTestDatabase, randomChain, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { IndexWriter } from '../writer/index-writer.js';
import { storedBlocks } from './stored-blocks.js';

const chain = randomChain({ seed: 3, blocks: 40 }).blocks;

/** The random chain's blocks, with these ids one after the other. */
const withIds = (...ids: string[]): Block[] =>
  ids.map((id, place) => ({ ...chain[place]!, id, previousBlock: ids[place - 1] ?? '0' }));

describe('stored blocks', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  beforeEach(async () => {
    await client.query('TRUNCATE blocks, transactions, payments, public_keys, addresses');
  });

  const store = async (blocks: readonly Block[]): Promise<void> => {
    const writer = new IndexWriter(client, client);
    await writer.addBlocks(blocks);
    await writer.settled();
    await client.query('COMMIT');
  };

  const readAll = async (above?: number): Promise<Block[]> => {
    const blocks: Block[] = [];
    for await (const part of storedBlocks(client, { above })) blocks.push(...part);
    return blocks;
  };

  it.each([
    ['with the ids of a chain', chain],
    [
      'with the shortest and the longest ids',
      withIds('1', '18446744073709551615', '9223372036854775808', '255'),
    ],
    ['with full ids', withIds('ab'.repeat(32), '0'.repeat(64), 'f'.repeat(64))],
    ['whose ids become full ones', withIds('7', '8', `${'0'.repeat(63)}8`)],
  ])('%s are read as they were', async (_, blocks) => {
    await store(blocks);
    expect(await readAll()).toEqual(blocks);
  });

  it('keep every field of their transactions', async () => {
    const plain = chain.flatMap(({ transactions }) => transactions).find(({ type }) => type === 0)!;
    const [key, signature] = [plain.senderPublicKey, 'ab'.repeat(71)];
    const odd: Partial<Transaction>[] = [
      { version: 2, network: 30, nonce: 2n ** 63n - 1n, timestamp: null, expiration: 2 ** 32 - 1 },
      { version: 1, network: null, nonce: null, timestamp: 2 ** 31 - 1 },
      { vendorField: Buffer.from('ünï\n"✓').toString('hex'), signature, secondSignature: 'cd'.repeat(64) },
      {
        vendorField: 'ff00fe',
        signature: null,
        signatures: [`00${'12'.repeat(64)}`, `02${'34'.repeat(64)}`],
      },
      { type: 1, asset: { secondPublicKey: key } },
      { type: 2, asset: { username: 'ünïcode_✓' } },
      { type: 4, version: 2, asset: { multiSignature: { min: 2, publicKeys: [key, key] } } },
      {
        type: 4,
        version: 1,
        nonce: null,
        timestamp: 5,
        asset: { multiSignatureLegacy: { min: 1, lifetime: 9, keysgroup: [`+${key}`] } },
      },
      { type: 5, recipientId: null, asset: { ipfs: 'QmR45FmbVVrixReBwJkhEKde2qwHYaQzGxu4ZoDeswuF9w' } },
      { type: 6, recipientId: null, asset: { payments: [{ recipientId: 'A', amount: 2n ** 53n + 1n }] } },
      { type: 8, asset: { lock: { secretHash: 'ef'.repeat(32), expiration: { type: 2, value: 7 } } } },
      { type: 9, asset: { lockTransactionId: 'ef'.repeat(32), unlockSecret: 'ab'.repeat(32) } },
      { type: 3, typeGroup: 2, asset: { other: { z: { b: 1, a: ['✓'] }, a: 'order is kept' } } },
    ];
    const transactions = odd.map((fields, place) => ({
      ...plain,
      version: 2,
      timestamp: null,
      nonce: 1n,
      ...fields,
      id: place.toString(16).padStart(64, '0'),
    }));
    const block = { ...chain[0]!, numberOfTransactions: transactions.length, transactions };
    await store([block]);
    expect(await readAll()).toEqual([block]);
  });

  it('keep what is usual in an empty block as null, and everything unusual as it is', async () => {
    const [first, second] = withIds('1', '2') as [Block, Block];
    const usual = {
      numberOfTransactions: 0,
      totalAmount: 0n,
      totalFee: 0n,
      payloadLength: 0,
      payloadHash: EMPTY_PAYLOAD_HASH,
      transactions: [],
    };
    const unusual = { totalAmount: 1n, totalFee: 2n ** 32n, payloadLength: 3, payloadHash: 'cd'.repeat(32) };
    const blocks = [
      { ...first, ...usual, ...unusual },
      { ...second, ...usual },
    ];
    await store(blocks);
    expect(await readAll()).toEqual(blocks);
    const { rows } = await client.query(
      `SELECT num_nulls(number_of_transactions, total_amount, total_fee, payload_length, payload_hash) AS nulls
       FROM blocks ORDER BY height`,
    );
    expect(rows).toEqual([{ nulls: 1 }, { nulls: 5 }]);
  });

  it('above a height link to the block at that height', async () => {
    await store(chain);
    expect(await readAll(17)).toEqual(chain.slice(17));
    expect(await readAll(40)).toEqual([]);
  });
});
