import { afterEach, describe, expect, it } from '@jest/globals';
import { HeadMovedError, UndoOutOfReachError } from '@roundhouse/storage';
import { randomChain } from '@roundhouse/testing';
import { ApplyHarness } from './apply.harness.js';
import type { BatchReport } from './apply-outcome.js';

const { network, blocks } = randomChain({ seed: 11, blocks: 90 });

describe('applying staged blocks', () => {
  let index: ApplyHarness;
  afterEach(() => index.close());

  it('receiving the same blocks twice changes nothing', async () => {
    index = await ApplyHarness.create(network);
    await index.index(blocks);
    const once = await index.snapshot();
    await index.index(blocks);
    expect(await index.snapshot()).toEqual(once);
  });

  it('stops at a gap and goes on when it is filled', async () => {
    index = await ApplyHarness.create(network);
    index.rangeBlocks = 10;
    await index.index(blocks.filter(({ height }) => height <= 20 || height > 30));
    expect(await index.count('blocks')).toBe(20);
    await index.index(blocks);
    expect(await index.count('blocks')).toBe(90);
  });

  it('tells of a block that does not stand on the head, and has applied those below it', async () => {
    index = await ApplyHarness.create(network);
    const fork = randomChain({ seed: 11, blocks: 60, forkFrom: 41 });
    await index.index(blocks.slice(0, 50));
    index.staged = fork.blocks.slice(50);
    const head = { height: 50, id: blocks[49]!.id };
    expect(await index.apply.drain()).toMatchObject({ kind: 'mismatch', height: 51, head });
    expect(await index.count('blocks')).toBe(50);
  });

  it('keeps before-images only within reach of the source, and says where they end', async () => {
    index = await ApplyHarness.create(network, { undoDepth: 20 });
    await index.index(blocks);
    const { rows } = await index.client.query('SELECT min(height), max(height) FROM undo_accounts');
    expect(rows[0]).toEqual({ min: 71, max: 90 });
    await expect(index.apply.undoTo(69)).rejects.toThrow(UndoOutOfReachError);
    expect(await index.count('blocks')).toBe(90);
    expect(await index.apply.undoTo(70)).toEqual({ height: 70, id: blocks[69]!.id });
  });

  it('drops older before-images when blocks are applied without them', async () => {
    index = await ApplyHarness.create(network, { undoDepth: 10 });
    await index.index(blocks.slice(0, 10));
    await index.index(blocks);
    const { rows } = await index.client.query('SELECT DISTINCT height FROM undo_accounts ORDER BY height');
    expect(rows.map(({ height }) => height as number)).toEqual([81, 82, 83, 84, 85, 86, 87, 88, 89, 90]);
  });

  it('stores nothing when another writer has moved the head, and goes on from there', async () => {
    index = await ApplyHarness.create(network);
    await index.index(blocks.slice(0, 50));
    await index.client.query('CREATE TABLE elsewhere AS SELECT * FROM head');
    await index.client.query(`UPDATE head SET block_id = 'other'`);
    index.staged = blocks;
    await expect(index.apply.drain()).rejects.toThrow(HeadMovedError);
    expect(await index.count('blocks')).toBe(50);
    await index.client.query('UPDATE head SET block_id = elsewhere.block_id FROM elsewhere');
    expect(await index.apply.drain()).toMatchObject({ kind: 'applied', blocks: 40 });
  });

  it('counts transactions of unknown types and goes on', async () => {
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

  it('tells of a generator that was not allowed its slot, also across changes of block time', async () => {
    const wrong: number[] = [];
    index = await ApplyHarness.create(network, {
      batchBlocks: 1,
      onWrongForger: ({ height }) => wrong.push(height),
    });
    for (const end of [30, 32, 45, 70]) {
      await index.index(blocks.slice(0, end));
      // Another ledger, loaded from the tables, counts the slots alike.
      await index.apply.open();
    }
    expect(wrong).toEqual([]);
    const others = blocks.map((block) => ({ ...block, generatorPublicKey: blocks[1]!.generatorPublicKey }));
    await index.index(others);
    const expected = blocks.filter(
      ({ height, generatorPublicKey }) => height > 70 && generatorPublicKey !== blocks[1]!.generatorPublicKey,
    );
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong[0]).toBe(expected[0]!.height);
  });

  it('holds no more accounts than it may', async () => {
    index = await ApplyHarness.create(network, { accountCapacity: 3, batchBlocks: 5 });
    await index.index(blocks);
    const small = await index.snapshot();
    const other = await ApplyHarness.create(network);
    await other.index(blocks);
    expect(small).toEqual(await other.snapshot());
    await other.close();
  });
});
