import { afterEach, describe, expect, it } from '@jest/globals';
import { HISTORY_TABLES } from '@roundhouse/entities/tables';
import { findViolations, randomChain, snapshotTables } from '@roundhouse/testing';
import { advanceCheckpoint } from '../checkpoint/advance-checkpoint.js';
import { IndexedChain } from '../verify/indexed-chain.harness.js';
import { verifyIndex, type IndexReport, type VerifyOptions } from '../verify/verify-index.js';
import { undoTo } from '../writer/undo-to.js';
import { rebuildIndex, type RebuildOptions, type RebuildReport } from './rebuild-index.js';

const BLOCKS = 160;
/** The newest end of a round that can never be undone. */
const CHECKPOINT = 124;
const UNDO_DEPTH = BLOCKS - CHECKPOINT;
const { network, blocks } = randomChain({ seed: 79, blocks: BLOCKS });

const open: IndexedChain[] = [];

const indexOf = async (keepsHistory = true): Promise<IndexedChain> => {
  const index = await IndexedChain.create(network, blocks, UNDO_DEPTH, keepsHistory);
  open.push(index);
  return index;
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((index) => index.close()));
});

const damage = async (index: IndexedChain, statement: string): Promise<void> => {
  expect((await index.client.query(statement)).rowCount).not.toBe(0);
};

const verified = (index: IndexedChain, options: Partial<VerifyOptions> = {}): Promise<IndexReport> =>
  index.apart((client) => verifyIndex(client, { listed: 3, ...options }));

const rebuilt = (index: IndexedChain, options: Partial<RebuildOptions> = {}): Promise<RebuildReport> =>
  index.apart((client) => rebuildIndex(client, { undoDepth: UNDO_DEPTH, ...options }));

const prove = async (index: IndexedChain): Promise<void> => {
  const options = { stepBlocks: 20, accountCapacity: 3, listed: 3 };
  expect(await index.apart((client) => advanceCheckpoint(client, options))).toMatchObject({
    height: CHECKPOINT,
    problem: null,
  });
};

let proven: Promise<() => Promise<IndexedChain>> | undefined;

const provenIndex = async (): Promise<IndexedChain> => {
  proven ??= IndexedChain.create(network, blocks, UNDO_DEPTH, true).then(async (index) => {
    await prove(index);
    return index.asOriginal();
  });
  const index = await (await proven)();
  open.push(index);
  return index;
};

const hasHistory = async ({ client }: IndexedChain): Promise<boolean> =>
  (await client.query<{ has_history: boolean }>('SELECT has_history FROM head')).rows[0]!.has_history;

const LASTING = 2_147_483_647;
/** Each changes one table of history. */
const DAMAGES: readonly [string, string][] = [
  ['history_balances', 'UPDATE history_balances SET locked = locked + 1 WHERE height = $HEIGHT'],
  ['history_balances', 'DELETE FROM history_balances WHERE height = $HEIGHT'],
  ['history_balances', 'INSERT INTO history_balances VALUES (0, 0, 1000, $HEIGHT)'],
  ['history_delegates', 'UPDATE history_delegates SET forged_fees = forged_fees + 1 WHERE height = $HEIGHT'],
  ['history_weights', 'UPDATE history_weights SET weights[1] = weights[1] + 1 WHERE height = $HEIGHT'],
  ['history_weights', 'DELETE FROM history_weights WHERE height = $HEIGHT'],
  [
    'history_rankings',
    `INSERT INTO history_rankings VALUES ($HEIGHT, '{2, 1}') ON CONFLICT (height) DO UPDATE SET delegates = '{2, 1}'`,
  ],
  ['history_delegates', 'DELETE FROM history_delegates WHERE height = $HEIGHT'],
  ['history_votes', `INSERT INTO history_votes VALUES (1000, $HEIGHT, $HEIGHT + 1, 'A', '\\x02')`],
];
const at = (statement: string, height: number): string => statement.replaceAll('$HEIGHT', String(height));

describe('verifyIndex on an index with history', () => {
  it('finds nothing if it is sound, with and without a checkpoint', async () => {
    const index = await indexOf();
    const sound = { badBlocks: [], isBroken: false, tables: [] };
    expect(await verified(index, { flushBlocks: 20 })).toMatchObject({ from: 0, ...sound });
    await prove(index);
    expect(await verified(index, { flushBlocks: 20 })).toMatchObject({ from: CHECKPOINT, ...sound });
    expect(await verified(index, { fromGenesis: true })).toMatchObject({ from: 0, ...sound });
  });

  it.each(DAMAGES)('finds what is wrong above the checkpoint: %s, %s', async (table, statement) => {
    const index = await provenIndex();
    await damage(index, at(statement, CHECKPOINT + 1));
    expect((await verified(index)).tables).toMatchObject([{ table }]);
  });

  it.each(DAMAGES)(
    'finds what is wrong below it only from genesis, and a rebuild corrects it: %s, %s',
    async (table, statement) => {
      const index = await provenIndex();
      const before = await snapshotTables(index.client);
      await damage(index, at(statement, 35));
      expect((await verified(index)).tables).toEqual([]);
      expect((await verified(index, { fromGenesis: true })).tables).toMatchObject([{ table }]);
      expect(await rebuilt(index, { keepsHistory: true })).toMatchObject({ replaced: [{ table }] });
      expect(await snapshotTables(index.client)).toEqual(before);
    },
  );

  it.each([
    `UPDATE history_votes SET until_height = ${LASTING} WHERE from_height <= ${CHECKPOINT}
       AND until_height BETWEEN ${CHECKPOINT + 1} AND ${LASTING - 1}`,
    `UPDATE history_votes SET until_height = ${BLOCKS} WHERE from_height <= ${CHECKPOINT} AND until_height = ${LASTING}`,
  ])('finds a wrong end of a vote that began below the checkpoint: %s', async (statement) => {
    const index = await provenIndex();
    await damage(index, statement);
    expect((await verified(index)).tables).toMatchObject([{ table: 'history_votes' }]);
  });

  it('finds rows in an index that has none', async () => {
    const index = await indexOf(false);
    await damage(index, 'INSERT INTO history_balances VALUES (0, 0, 1, 1)');
    expect((await verified(index)).tables).toMatchObject([{ table: 'history_balances', total: 1 }]);
  });
});

describe('rebuildIndex', () => {
  it('builds the history of an index without it, and drops it', async () => {
    const [index, kept, none] = [await indexOf(false), await indexOf(), await indexOf(false)];
    await prove(index);
    expect(await rebuilt(index, { keepsHistory: true, accountCapacity: 3 })).toMatchObject({
      from: 0,
      replaced: HISTORY_TABLES.map(({ name: table }) => ({
        table,
        deleted: 0,
        inserted: expect.any(Number),
      })),
    });
    expect(await hasHistory(index)).toBe(true);
    expect(await snapshotTables(index.client)).toEqual(await snapshotTables(kept.client));
    expect(await verified(index)).toMatchObject({ tables: [], badBlocks: [] });
    expect(await findViolations(index.client)).toEqual({});
    await rebuilt(index);
    expect(await hasHistory(index)).toBe(false);
    expect(await snapshotTables(index.client)).toEqual(await snapshotTables(none.client));
  });

  it('makes history that undoing removes', async () => {
    const index = await indexOf(false);
    await rebuilt(index, { keepsHistory: true });
    await undoTo(index.client, blocks.at(-1)!, CHECKPOINT + 1);
    expect(await findViolations(index.client)).toEqual({});
    const { rows } = await index.client.query('SELECT max(height) AS height FROM history_balances');
    expect(rows).toEqual([{ height: CHECKPOINT + 1 }]);
  });

  it('keeps final what history has told clients is final, whatever the depth', async () => {
    const index = await indexOf();
    const deeper = { keepsHistory: true, undoDepth: UNDO_DEPTH + 20 };
    const final = { finalHeight: CHECKPOINT, replaced: [] };
    expect(await rebuilt(index, deeper)).toMatchObject(final);
    await expect(undoTo(index.client, blocks.at(-1)!, CHECKPOINT - 1)).rejects.toThrow(
      `drop the history, because clients were told that it never changes up to height ${CHECKPOINT}: run "indexer rebuild" ` +
        `with UNDO_DEPTH=${UNDO_DEPTH + 1} or more`,
    );
    await undoTo(index.client, blocks.at(-1)!, CHECKPOINT);
    expect(await rebuilt(index, deeper)).toMatchObject(final);
    expect(await findViolations(index.client)).toEqual({});
  });

  it('makes before-images down to any depth if it drops the history, which can then be built again', async () => {
    const index = await indexOf();
    const undoDepth = UNDO_DEPTH + 20;
    expect(await rebuilt(index, { undoDepth })).toMatchObject({ finalHeight: null });
    expect(await rebuilt(index, { undoDepth, keepsHistory: true })).toMatchObject({ finalHeight: null });
    await undoTo(index.client, blocks.at(-1)!, BLOCKS - undoDepth);
    expect(await findViolations(index.client)).toEqual({});
  });

  it('writes nothing if the index has the history that it should have', async () => {
    const index = await indexOf();
    const rows = async (): Promise<unknown[]> =>
      (await index.client.query<object>('SELECT xmin::text, * FROM head')).rows;
    const before = await rows();
    expect(await rebuilt(index, { keepsHistory: true })).toMatchObject({ replaced: [] });
    expect(await rows()).toEqual(before);
  });

  it('promises and removes nothing if before-images reach down to the genesis block, as on a young chain', async () => {
    const index = await IndexedChain.create(network, blocks, BLOCKS, true);
    open.push(index);
    const before = await snapshotTables(index.client);
    const young = { keepsHistory: true, undoDepth: BLOCKS };
    expect(await rebuilt(index, young)).toMatchObject({ finalHeight: null, replaced: [] });
    expect(await snapshotTables(index.client)).toEqual(before);
  });

  it('says that the index has no history any more, even if there is no row to remove', async () => {
    const index = await indexOf(false);
    await damage(index, 'UPDATE head SET has_history = true');
    expect(await rebuilt(index)).toMatchObject({ replaced: [] });
    expect(await hasHistory(index)).toBe(false);
  });

  it('keeps what it says of history if it replaces the row of the head', async () => {
    const index = await indexOf();
    await damage(index, 'UPDATE head SET supply = supply + 1');
    expect(await rebuilt(index, { keepsHistory: true })).toMatchObject({ replaced: [{ table: 'head' }] });
    expect(await hasHistory(index)).toBe(true);
  });
});
