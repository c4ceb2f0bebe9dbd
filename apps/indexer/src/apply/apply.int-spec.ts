import { afterEach, describe, expect, it } from '@jest/globals';
import type { Block, Transaction } from '@roundhouse/chain';
import { createSqlViews, dropSqlViews } from '@roundhouse/entities';
import { createWebhook, HeadMovedError, UndoOutOfReachError } from '@roundhouse/storage';
import { randomChain } from '@roundhouse/testing';
import pg from 'pg';
import { ApplyHarness } from './apply.harness.js';
import type { BatchReport } from './apply-options.js';

const { network, blocks } = randomChain({ seed: 11, blocks: 90 });

const isByAnother =
  ({ generatorPublicKey }: Block) =>
  (other: Block): boolean =>
    other.height > 60 && other.generatorPublicKey !== generatorPublicKey;

describe('applying staged blocks', () => {
  let index: ApplyHarness;
  afterEach(() => index.close());

  const undoHeights = async (): Promise<number[]> => {
    const { rows } = await index.client.query<{ height: number }>(
      'SELECT DISTINCT height FROM undo_accounts ORDER BY height',
    );
    return rows.map(({ height }) => height);
  };
  const heightsFrom = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  it('stops at a gap and continues when it is filled', async () => {
    index = await ApplyHarness.create(network);
    index.rangeBlocks = 10;
    await index.index(blocks.filter(({ height }) => height <= 20 || height > 30));
    expect(await index.count('blocks')).toBe(20);
    await index.index(blocks);
    expect(await index.count('blocks')).toBe(90);
  });

  it('keeps before-images for undoDepth blocks only, and refuses to undo more', async () => {
    index = await ApplyHarness.create(network, { undoDepth: 20 });
    await index.index(blocks);
    const { rows } = await index.client.query('SELECT min(height), max(height) FROM undo_accounts');
    expect(rows[0]).toEqual({ min: 71, max: 90 });
    await expect(index.apply.undoTo(69)).rejects.toThrow(UndoOutOfReachError);
    expect(await index.count('blocks')).toBe(90);
    expect(await index.apply.undoTo(70)).toEqual({ height: 70, id: blocks[69]!.id });
  });

  it('keeps the before-images of undoDepth blocks even if the source claims a height for which it has no blocks', async () => {
    index = await ApplyHarness.create(network, {
      undoDepth: 20,
      batchBlocks: 1_000,
      claimedHeight: () => 1_000_000,
    });
    for (const end of [40, 43, 90]) {
      await index.index(blocks.slice(0, end));
      expect(await undoHeights()).toEqual(heightsFrom(end - 19, end));
    }
    const straight = await ApplyHarness.create(network, { undoDepth: 20 });
    await straight.index(blocks);
    expect(await index.snapshot()).toEqual(await straight.snapshot());
    await straight.close();
    expect(await index.apply.undoTo(70)).toEqual({ height: 70, id: blocks[69]!.id });
  });

  it('makes before-images only for the end of a batch that is far below the claimed height', async () => {
    const kept: number[][] = [];
    const reports: Promise<void>[] = [];
    index = await ApplyHarness.create(network, {
      undoDepth: 10,
      batchBlocks: 40,
      claimedHeight: () => 90,
      onBatch: () => reports.push(undoHeights().then((heights) => void kept.push(heights))),
    });
    index.rangeBlocks = 5;
    await index.index(blocks);
    await Promise.all(reports);
    expect(kept.at(-1)).toEqual(heightsFrom(81, 90));
    for (const heights of kept) expect(heights).toHaveLength(10);
  });

  it('stores nothing if another writer has moved the head, and continues when the head is the expected one again', async () => {
    index = await ApplyHarness.create(network);
    await index.index(blocks.slice(0, 50));
    await index.client.query('CREATE TABLE elsewhere AS SELECT * FROM head');
    await index.client.query(`UPDATE head SET block_id = '\\x07'`);
    index.staged = blocks;
    await expect(index.apply.drain()).rejects.toThrow(HeadMovedError);
    expect(await index.count('blocks')).toBe(50);
    await index.client.query('UPDATE head SET block_id = elsewhere.block_id FROM elsewhere');
    expect(await index.apply.drain()).toMatchObject({ kind: 'applied', head: { height: 90 } });
  });

  it('tells a webhook of all blocks of the batches that are committed after it was registered, and of no others', async () => {
    index = await ApplyHarness.create(network, { batchBlocks: 30, announces: () => true });
    index.rangeBlocks = 10;
    const pool = new pg.Pool({ connectionString: index.url, max: 1 });
    const register = (id: string): Promise<unknown> =>
      createWebhook(
        pool,
        { id, event: 'block.applied', target: 'http://receiver.example/', enabled: true, conditions: [] },
        { token: 'token', tokenRest: Buffer.alloc(32) },
      );
    const waiting = async (id: string): Promise<number[]> => {
      const { rows } = await pool.query<{ height: number }>(
        `SELECT (e.data::json ->> 'height')::integer AS height FROM webhook_events e
         JOIN webhooks w ON w.id = $1 AND e.sequence > w.delivered ORDER BY e.sequence`,
        [id],
      );
      return rows.map(({ height }) => height);
    };
    await index.index(blocks.slice(0, 10));
    index.beforeRead = async (height) => height === 31 && register('early');
    await index.index(blocks.slice(0, 70));
    expect(await waiting('early')).toEqual(heightsFrom(11, 70));
    await register('late');
    await index.index(blocks);
    expect(await waiting('late')).toEqual(heightsFrom(71, 90));
    await pool.end();
  });

  it('counts transactions of unknown types and continues', async () => {
    const reports: BatchReport[] = [];
    index = await ApplyHarness.create(network, { onBatch: (report) => reports.push(report) });
    await index.index(blocks);
    const unknown = blocks
      .flatMap((block) => block.transactions)
      .filter(({ typeGroup }) => typeGroup === 1001);
    const counted = reports.flatMap((report) => [...report.unknownTypes.values()]);
    expect(unknown.length).toBeGreaterThan(0);
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(unknown.length);
  });

  it('accepts the generator of each slot, also across changes of block time and after the ledger was loaded again', async () => {
    index = await ApplyHarness.create(network, { batchBlocks: 1 });
    for (const end of [5, 30, 32, 45, 70, 90]) {
      await index.index(blocks.slice(0, end));
      // Another ledger, loaded from the tables, counts slots in the same way.
      await index.apply.open();
    }
    expect(await index.count('blocks')).toBe(90);
  });

  /** The blocks, with another generator at height 71: a delegate, but not the one of this slot. */
  const usurped = blocks.map((block) =>
    block.height === 71
      ? { ...block, generatorPublicKey: blocks.find(isByAnother(block))!.generatorPublicKey }
      : block,
  );

  it('refuses a block whose generator does not have its slot', async () => {
    index = await ApplyHarness.create(network);
    expect(await index.index(usurped)).toMatchObject({
      kind: 'refused',
      block: { height: 71 },
      reason: expect.stringMatching(
        /^its generator is 0\w+, but the slot of its timestamp \d+ belongs to 0\w+; (round \d+ has no|none of the \d+) other possible list/,
      ),
    });
    expect(await index.count('blocks')).toBe(70);
  });

  it('makes the wallets of the SQL views also if the block after a commit is refused', async () => {
    index = await ApplyHarness.create(network);
    await createSqlViews(index.client);
    // The batch that ends at 70 has a next one, which is dropped.
    expect(await index.index(usurped)).toMatchObject({ kind: 'refused', block: { height: 71 } });
    expect(await index.count('sql_changes')).toBe(0);
    expect(await index.count('sql_wallets')).toBe(await index.count('accounts'));
    await dropSqlViews(index.client);
  });

  it('accepts a block whose generator does not have its slot if the block is an exception of the network', async () => {
    const exceptions = { blocks: [blocks[70]!.id] };
    index = await ApplyHarness.create({ ...network, exceptions });
    await index.index(usurped.slice(0, 71));
    expect(await index.count('blocks')).toBe(71);
  });

  const transfer = blocks.slice(40).flatMap(({ transactions }) => transactions)[0]!;
  const earlier = blocks.slice(1, 60).flatMap(({ transactions }) => transactions)[0]!;
  const changed = (change: Partial<Transaction>): Transaction => ({
    ...transfer,
    id: 'ab'.repeat(32),
    type: 0,
    typeGroup: 1,
    amount: 0n,
    asset: null,
    fee: 0n,
    ...change,
  });
  const stranger = `02${'11'.repeat(32)}`;
  const [username] = blocks[0]!.transactions.flatMap(({ asset }) => asset?.username ?? []);
  const rich = { recipientId: 'Arich', amount: 2n ** 63n - 1n };

  it.each<[string, readonly Transaction[], Partial<Block>?]>([
    ['a transfer that became a resignation', [changed({ type: 7, senderPublicKey: stranger })]],
    [
      'a username that is taken',
      [changed({ type: 2, senderPublicKey: stranger, asset: { username: username! } })],
    ],
    [
      'an unknown lock',
      [changed({ type: 9, asset: { lockTransactionId: 'cd'.repeat(32), unlockSecret: '01'.repeat(32) } })],
    ],
    ['the id of an earlier transaction', [changed({ id: earlier.id })]],
    ['the id of an earlier block', [], { id: blocks[10]!.id }],
    ['sums above 2^63', [changed(rich), changed({ ...rich, id: 'ef'.repeat(32) })]],
  ])(
    'refuses a block with %s, applies all blocks below it, and applies the correct block when it comes',
    async (_, transactions, change = {}) => {
      index = await ApplyHarness.create(network, { batchBlocks: 1_000 });
      const poisoned = blocks.map((block) =>
        block.height === 61
          ? { ...block, ...change, transactions: [...block.transactions, ...transactions] }
          : block,
      );
      await index.index(poisoned.slice(0, 5));
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await index.index(poisoned)).toMatchObject({ kind: 'refused', block: poisoned[60] });
        expect(await index.count('blocks')).toBe(60);
      }
      await index.index(blocks);
      const straight = await ApplyHarness.create(network);
      await straight.index(blocks);
      expect(await index.snapshot()).toEqual(await straight.snapshot());
      await straight.close();
    },
  );

  it('blames no block for a contradiction in its own tables', async () => {
    index = await ApplyHarness.create(network);
    await index.index(blocks.slice(0, 50));
    await index.client.query(
      `CREATE TEMPORARY TABLE other AS SELECT * FROM blocks WHERE height = 1;
       UPDATE other SET height = 55, id = '\\x07';
       INSERT INTO blocks SELECT * FROM other`,
    );
    await expect(index.index(blocks)).rejects.toMatchObject({ constraint: 'pk_blocks' });
  });

  it('makes the same tables if it holds only three accounts in memory', async () => {
    index = await ApplyHarness.create(network, { accountCapacity: 3, batchBlocks: 5 });
    await index.index(blocks);
    const small = await index.snapshot();
    const other = await ApplyHarness.create(network);
    await other.index(blocks);
    expect(small).toEqual(await other.snapshot());
    await other.close();
  });
});
