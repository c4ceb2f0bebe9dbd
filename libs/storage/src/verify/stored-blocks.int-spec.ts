import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EMPTY_PAYLOAD_HASH } from '@roundhouse/blocks';
import type { Block } from '@roundhouse/chain';
import { createTestDatabase, randomChain, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { EncodedBlocks } from '../writer/encoded-blocks.js';
import { IndexWriter } from '../writer/index-writer.js';
import { storedBlocks } from './stored-blocks.js';

const chain = randomChain({ seed: 3, blocks: 40 }).blocks;

/** Blocks with the fields of transactions that have columns. */
const withColumns = (blocks: readonly Block[]) =>
  blocks.map((block) => ({
    ...block,
    transactions: block.transactions.map(
      ({ id, type, typeGroup, senderPublicKey, recipientId, amount, fee, asset }) => ({
        ...{ id, type, typeGroup, senderPublicKey, recipientId, amount, fee, asset },
      }),
    ),
  }));

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
    await client.query('TRUNCATE blocks, transactions');
  });

  const store = async (blocks: readonly Block[]): Promise<void> => {
    const writer = new IndexWriter(client);
    writer.addBlocks(EncodedBlocks.of(blocks));
    await writer.settled();
    await client.query('COMMIT');
  };

  const readAll = async (above?: number): Promise<Block[]> => {
    const blocks: Block[] = [];
    for await (const part of storedBlocks(client, above)) blocks.push(...part);
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
    expect(withColumns(await readAll())).toEqual(withColumns(blocks));
  });

  it('keep the payload hash of an empty block if it is not that of nothing', async () => {
    const payloadHash = 'cd'.repeat(32);
    const [first, second] = withIds('1', '2') as [Block, Block];
    const blocks = [
      { ...first, payloadHash, transactions: [] },
      { ...second, payloadHash: EMPTY_PAYLOAD_HASH, transactions: [] },
    ];
    await store(blocks);
    expect(withColumns(await readAll())).toEqual(withColumns(blocks));
    const { rows } = await client.query('SELECT payload_hash FROM blocks ORDER BY height');
    expect(rows).toEqual([{ payload_hash: Buffer.from(payloadHash, 'hex') }, { payload_hash: null }]);
  });

  it('above a height link to the block at that height', async () => {
    await store(chain);
    expect(withColumns(await readAll(17))).toEqual(withColumns(chain.slice(17)));
    expect(await readAll(40)).toEqual([]);
  });
});
