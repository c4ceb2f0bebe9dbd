import { randomBytes } from 'node:crypto';
import type { Block, Transaction } from '@roundhouse/chain';
import { aTransaction, randomChain } from '@roundhouse/testing';
import type { Client } from 'pg';
import { connectTestDatabase } from '../connected-database.harness.js';
import { dropStagedAt } from './drop-staged.js';
import { listStagedRanges, readStagedBlocks, stageBlocks } from './staged-ranges.js';

const { blocks } = randomChain({ seed: 1, blocks: 30 });

const transfer = aTransaction({
  recipientId: 'AXoXnFi4z1Z6aFvjEYkDVCtBGW2PaRiM25',
  amount: 9_007_199_254_740_993n,
  fee: 10_000_001n,
});

const range = (from: number, to: number) => blocks.slice(from - 1, to);

describe('staged ranges', () => {
  let client: Client;
  let close: () => Promise<void>;

  const spans = async () => (await listStagedRanges(client)).map(({ from, to }) => `${from}-${to}`);

  const readFrom = async (height: number) => (await readStagedBlocks(client, height))!;

  const setHead = (height: number) =>
    client.query(
      `INSERT INTO head (height, block_id, "timestamp", supply, delegate_count) VALUES ($1, '\\x01', 0, 0, 0)`,
      [height],
    );

  beforeAll(async () => {
    ({ client, close } = await connectTestDatabase());
  });

  afterEach(() => client.query('TRUNCATE staged_ranges, head'));

  afterAll(() => close());

  it('return every block as it was staged', async () => {
    const odd: Block = {
      ...blocks[6]!,
      // Not in DER.
      blockSignature: 'ab'.repeat(32),
      totalAmount: 9_007_199_254_740_993n,
      transactions: [
        { ...transfer, amount: 2n ** 63n - 1n },
        { ...transfer, recipientId: 'ü"✓\\\n' },
        { ...transfer, type: 2 ** 31 - 1, typeGroup: 2, recipientId: null },
        {
          ...transfer,
          type: 6,
          recipientId: null,
          asset: { payments: [{ recipientId: 'ü"', amount: 13_092_005_600_000_001n }] },
        },
        { ...transfer, type: 2, recipientId: null, asset: { username: 'ünïcode_✓' } },
        { ...transfer, type: 3, asset: { votes: [`-02${'ab'.repeat(32)}`, `+03${'cd'.repeat(32)}`] } },
        {
          ...transfer,
          type: 9,
          asset: { lockTransactionId: 'ef'.repeat(32), unlockSecret: '01'.repeat(32) },
        },
      ],
    };
    await stageBlocks(client, [odd, blocks[7]!]);
    expect(await readFrom(7)).toEqual([odd, blocks[7]]);
  });

  it('are dropped if they are in the form of another version', async () => {
    await stageBlocks(client, range(1, 10));
    await client.query(`UPDATE staged_ranges SET blocks = '[[1,"17184958558311101492",0]]'`);
    expect(await readStagedBlocks(client, 4)).toBeNull();
    expect(await spans()).toEqual([]);
  });

  it.each<[string, Partial<Transaction>]>([
    ['a NUL in a recipient', { recipientId: 'A\0B' }],
    ['a recipient too long for an index', { recipientId: randomBytes(20_000).toString('base64') }],
    ['a NUL in a username', { type: 2, asset: { username: 'a\0b' } }],
  ])('with %s are dropped, because PostgreSQL would refuse the rows', async (_, change) => {
    await stageBlocks(client, [
      ...range(1, 9),
      { ...blocks[9]!, transactions: [{ ...transfer, ...change }] },
    ]);
    expect(await readStagedBlocks(client, 4)).toBeNull();
    expect(await spans()).toEqual([]);
  });

  it('are read from any height within them, and the longer of two that begin at the same height is kept', async () => {
    for (const end of [10, 20, 5, 20]) await stageBlocks(client, range(1, end));
    expect(await spans()).toEqual(['1-20']);
    expect(await readFrom(15)).toEqual(range(15, 20));
    expect(await readStagedBlocks(client, 21)).toBeNull();
  });

  it('are not stored when the head has passed them, and vanish from the list when it does', async () => {
    await setHead(10);
    await stageBlocks(client, range(1, 10));
    await stageBlocks(client, range(8, 12));
    await stageBlocks(client, range(13, 20));
    expect(await spans()).toEqual(['8-12', '13-20']);
    await client.query('UPDATE head SET height = 12');
    expect(await spans()).toEqual(['13-20']);
  });

  it('are dropped by a height within them', async () => {
    for (const [from, to] of [
      [1, 10],
      [6, 15],
      [16, 20],
    ] as const)
      await stageBlocks(client, range(from, to));
    await dropStagedAt(client, 8);
    expect(await spans()).toEqual(['16-20']);
  });
});
