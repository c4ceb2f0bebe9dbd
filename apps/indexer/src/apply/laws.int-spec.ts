import { afterEach, describe, expect, it } from '@jest/globals';
import { ALL_WEIGHTS_EVERY, type Network } from '@roundhouse/chain';
import { HISTORY_TABLES } from '@roundhouse/entities/tables';
import { claimNetwork } from '@roundhouse/storage';
import { findViolations, SeededRandom, randomChain, type TablesSnapshot } from '@roundhouse/testing';
import { ApplyHarness } from './apply.harness.js';
import type { ApplyOptions } from './apply-options.js';

/** The odd one chooses forgers by the rule of Core 2, the even one by that of Core 3. */
const SEEDS = [1, 4_004_004];
/** One of each rule. In the second one, few accounts vote often: several times within a block, and in several blocks of a batch. */
const CHAINS = [{ seed: 1 }, { seed: 78, accounts: 14 }];
const BLOCKS = 160;

const DELEGATE_VALUES = 'is_resigned, produced_blocks, missed_blocks, forged_fees, forged_rewards';
const ACCOUNTS = 'SELECT ROW(number, balance, locked, vote)::text AS row FROM accounts ORDER BY number';
const DELEGATES = `SELECT ROW(number, weight, ${DELEGATE_VALUES})::text AS row FROM delegates ORDER BY number`;
/** $1: the height. */
const ACCOUNTS_AT = `
SELECT ROW(account, balance, locked, (
  SELECT vote FROM history_votes v WHERE v.account = b.account AND from_height <= $1 AND until_height > $1))::text AS row
FROM (SELECT DISTINCT ON (account) * FROM history_balances WHERE height <= $1 ORDER BY account, height DESC) b ORDER BY account`;
const DELEGATES_AT = `
SELECT ROW(delegate, weight, ${DELEGATE_VALUES})::text AS row
FROM (SELECT DISTINCT ON (delegate) * FROM history_delegates WHERE height <= $1 ORDER BY delegate, height DESC) d
FULL JOIN (
  SELECT DISTINCT ON (delegate) delegate, weight FROM history_weights w, unnest(w.delegates, w.weights) AS listed (delegate, weight)
  WHERE height <= $1 ORDER BY delegate, height DESC) w USING (delegate)
ORDER BY delegate`;

describe('the laws of apply and undo', () => {
  const open: ApplyHarness[] = [];
  const harness = async (network: Network, options: Partial<ApplyOptions> = {}): Promise<ApplyHarness> => {
    const created = await ApplyHarness.create(network, { keepsHistory: true, ...options });
    open.push(created);
    await claimNetwork(created.client, network);
    return created;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });

  it.each(SEEDS)('batches of 1, 7, 51 and 1000 blocks give equal tables (seed %i)', async (seed) => {
    const { network, blocks } = randomChain({ seed, blocks: BLOCKS });
    const snapshots: TablesSnapshot[] = [];
    for (const batchBlocks of [1, 7, 51, 1000]) {
      const index = await harness(network, { batchBlocks });
      await index.index(blocks);
      snapshots.push(await index.snapshot());
    }
    expect(snapshots[0]!.blocks).toHaveLength(BLOCKS);
    for (const { name } of HISTORY_TABLES) expect(snapshots[0]![name]).not.toEqual([]);
    for (const snapshot of snapshots.slice(1)) expect(snapshot).toEqual(snapshots[0]);
  });

  it.each(SEEDS)('the invariants hold after every batch (seed %i)', async (seed) => {
    const { network, blocks } = randomChain({ seed, blocks: BLOCKS });
    const index = await harness(network);
    for (let end = 1; end <= blocks.length; end += 13) {
      await index.index(blocks.slice(0, end));
      expect(await findViolations(index.client)).toEqual({});
    }
  });

  it.each(SEEDS)('apply, undo any number and apply again equals a straight run (seed %i)', async (seed) => {
    const random = SeededRandom.of(seed);
    const { network, blocks } = randomChain({ seed, blocks: BLOCKS });
    const index = await harness(network);
    let head = 0;
    for (let turn = 0; turn < 12; turn += 1) {
      head = Math.min(BLOCKS, head + 2 + random.below(50));
      await index.index(blocks.slice(0, head));
      // A round is 5 or 7 blocks, so most of these cross the end of a round.
      head = Math.max(1, head - 1 - random.below(30));
      await index.apply.undoTo(head);
      expect(await findViolations(index.client)).toEqual({});
    }
    const straight = await harness(network);
    await index.index(blocks);
    await straight.index(blocks);
    expect(await index.snapshot()).toEqual(await straight.snapshot());
  });

  it.each(CHAINS)(
    'undoing down to each height equals an index that never went further (%o)',
    async (form) => {
      const { network, blocks } = randomChain({ ...form, blocks: 60 });
      const below: TablesSnapshot[] = [];
      const index = await harness(network, { batchBlocks: 1 });
      for (const block of blocks) {
        await index.index(blocks.slice(0, block.height));
        below[block.height] = await index.snapshot();
      }
      for (let height = 59; height >= 1; height -= 1) {
        await index.apply.undoTo(height);
        expect(await index.snapshot()).toEqual(below[height]);
      }
    },
  );

  it.each(CHAINS)('history gives the state after each block (%o)', async (form) => {
    const { network, blocks } = randomChain({ ...form, blocks: BLOCKS });
    const texts = async (sql: string, height?: number): Promise<string[]> =>
      (await index.client.query<{ row: string }>(sql, height === undefined ? [] : [height])).rows.map(
        ({ row }) => row,
      );
    const index = await harness(network, { batchBlocks: 1 });
    const states: string[][] = [];
    for (const block of blocks) {
      await index.index(blocks.slice(0, block.height));
      states[block.height] = [...(await texts(ACCOUNTS)), ...(await texts(DELEGATES))];
    }
    for (const { height } of blocks)
      expect([...(await texts(ACCOUNTS_AT, height)), ...(await texts(DELEGATES_AT, height))]).toEqual(
        states[height],
      );
  });

  it.each(SEEDS)('apply, undo and apply again across a height with all weights (seed %i)', async (seed) => {
    const { network, blocks } = randomChain({ seed, blocks: ALL_WEIGHTS_EVERY + 8 });
    const index = await harness(network);
    const straight = await harness(network, { batchBlocks: 1000 });
    await index.index(blocks);
    await straight.index(blocks);
    for (const height of [ALL_WEIGHTS_EVERY, ALL_WEIGHTS_EVERY - 1]) {
      await index.apply.undoTo(height);
      await index.index(blocks);
      expect(await index.snapshot()).toEqual(await straight.snapshot());
    }
    expect(await findViolations(index.client)).toEqual({});
  });

  it.each(SEEDS)('history changes no other table (seed %i)', async (seed) => {
    const { network, blocks } = randomChain({ seed, blocks: BLOCKS });
    const [kept, none] = [await harness(network), await harness(network, { keepsHistory: false })];
    for (const index of [kept, none]) {
      await index.index(blocks);
      await index.apply.undoTo(BLOCKS - 40);
      await index.index(blocks);
      expect(await findViolations(index.client)).toEqual({});
    }
    const empty = HISTORY_TABLES.map(({ name }) => [name, []]);
    expect(await none.snapshot()).toEqual({ ...(await kept.snapshot()), ...Object.fromEntries(empty) });
  });

  it.each(SEEDS)('following a fork equals a straight index of it (seed %i)', async (seed) => {
    const { network, blocks } = randomChain({ seed, blocks: 120 });
    const fork = randomChain({ seed, blocks: 130, forkFrom: 93 });
    const index = await harness(network, { batchBlocks: 51 });
    await index.index(blocks);
    await index.apply.undoTo(92);
    await index.index(fork.blocks);
    const straight = await harness(network);
    await straight.index(fork.blocks);
    expect(await index.snapshot()).toEqual(await straight.snapshot());
    expect(await findViolations(index.client)).toEqual({});
  });
});
