import { afterEach, describe, expect, it } from '@jest/globals';
import type { Block, Network } from '@roundhouse/chain';
import { randomChain, snapshotTables } from '@roundhouse/testing';
import { advanceCheckpoint } from '../checkpoint/advance-checkpoint.js';
import { claimNetwork } from '../status/claim-network.js';
import { readNetwork } from '../status/position.js';
import { IndexedChain } from '../verify/indexed-chain.harness.js';
import { verifyIndex, type IndexReport } from '../verify/verify-index.js';
import { rebuildIndex, type RebuildOptions, type RebuildReport } from './rebuild-index.js';

const UNDO_DEPTH = 30;
const chain = randomChain({ seed: 11, blocks: 90 });

const isUnknown = ({ typeGroup }: { readonly typeGroup: number }): boolean => typeGroup === 1001;
const unknown = chain.blocks.filter(({ transactions }) => transactions.some(isUnknown));

/** Amounts so small that they change no order of forgers. The exceptions list the blocks, whose totals are others. */
const blocks = chain.blocks.map(({ transactions, ...header }): Block => {
  const small = transactions.map((each) => (isUnknown(each) ? { ...each, amount: 1n } : each));
  return { ...header, transactions: small };
});
const exceptions = { ...chain.network.exceptions, blocks: unknown.map(({ id }) => id) };
const fees: Network = { ...chain.network, exceptions };
const transfers: Network = { ...fees, customTypes: [{ typeGroup: 1001, type: 7, moves: 'transfer' }] };

const open: IndexedChain[] = [];

const indexOf = async (network: Network): Promise<IndexedChain> => {
  const index = await IndexedChain.create(network, blocks, UNDO_DEPTH);
  open.push(index);
  return index;
};

const prove = (index: IndexedChain) =>
  index.apart((client) => advanceCheckpoint(client, { stepBlocks: 20, accountCapacity: 100, listed: 3 }));

/** With a checkpoint above the first transaction whose amount may move. */
const provenIndex = async (network: Network): Promise<IndexedChain> => {
  const index = await indexOf(network);
  const { height, problem } = await prove(index);
  expect(problem).toBeNull();
  expect(height).toBeGreaterThan(unknown[0]!.height);
  return index;
};

const verified = (index: IndexedChain): Promise<IndexReport> =>
  index.apart((client) => verifyIndex(client, { listed: 3 }));

const rebuilt = (index: IndexedChain, options: Partial<RebuildOptions> = {}): Promise<RebuildReport> =>
  index.apart((client) => rebuildIndex(client, { undoDepth: UNDO_DEPTH, ...options }));

describe('a rebuild after customTypes has changed', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((index) => index.close()));
  });

  it.each([
    ['added', fees, transfers],
    ['removed', transfers, fees],
  ])(
    'of which one was %s computes all blocks again, and stores the new ones with the result',
    async (_what, before, after) => {
      const [index, straight] = [await provenIndex(before), await indexOf(after)];
      const balances = await snapshotTables(index.client);
      expect(await rebuilt(index, { network: after })).toMatchObject({ kind: 'rebuilt', from: 0 });
      expect(await snapshotTables(index.client)).not.toEqual(balances);
      expect(await snapshotTables(index.client)).toEqual(await snapshotTables(straight.client));
      expect((await readNetwork(index.client))!.network.customTypes).toEqual(after.customTypes);
      expect(await verified(index)).toMatchObject({ from: 0, badBlocks: [], tables: [] });
      expect(await prove(index)).toMatchObject({ from: 0, problem: null });
      expect((await verified(index)).from).toBeGreaterThan(0);
    },
  );

  it('is needed if they were stored without it, as a verification finds, which uses no checkpoint of others', async () => {
    const index = await provenIndex(fees);
    await claimNetwork(index.client, transfers);
    const report = await verified(index);
    expect(report).toMatchObject({ from: 0, badBlocks: [] });
    expect(report.tables.map(({ table }) => table)).toContain('accounts');
    expect(await prove(index)).toMatchObject({ from: 0, problem: {} });
    await rebuilt(index);
    expect(await verified(index)).toMatchObject({ badBlocks: [], tables: [] });
  });

  it('keeps to the checkpoint if no amount moves by them that did not move before', async () => {
    const index = await provenIndex(fees);
    const network: Network = { ...fees, customTypes: [{ typeGroup: 1001, type: 7, moves: 'fee' }] };
    expect(await rebuilt(index, { network })).toMatchObject({ kind: 'rebuilt', replaced: [] });
    expect((await verified(index)).from).toBeGreaterThan(0);
  });
});
