import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Block, Network } from '@roundhouse/chain';
import { randomChain } from '@roundhouse/testing';
import { MemoryChain } from './history/memory-chain.js';
import { pastAnswers } from './history/past-answers.js';
import { readState, type State } from './history/read-state.js';
import { expectPast } from './history/expect-past.js';
import { RecordedIndex } from './recorded-index.js';
import { ServedIndex } from './served-index.js';

const BLOCKS = 100;

/** The state of an index without history after each block: it stops at every height. By height. */
const statesOf = async (network: Network, blocks: readonly Block[]): Promise<State[]> => {
  const index = await RecordedIndex.create(new MemoryChain(blocks), network, {
    batchBlocks: 1,
    checksInvariants: false,
  });
  try {
    const states: State[] = [];
    for (const { height } of blocks) {
      await index.indexTo(height);
      states[height] = await readState(index.client);
    }
    return states;
  } finally {
    await index.close();
  }
};

describe.each([{ seed: 15 }, { seed: 20_170_321, forkFrom: 77 }])(
  'history of a random chain with all types of transactions (%o)',
  ({ seed, forkFrom }) => {
    const { network, blocks } = randomChain({ seed, blocks: BLOCKS, ...(forkFrom && { forkFrom }) });
    let states: readonly State[];
    let served: ServedIndex;

    beforeAll(async () => {
      states = await statesOf(network, blocks);
      const index = await RecordedIndex.create(new MemoryChain(blocks), network, { keepsHistory: true });
      await index.indexTo(BLOCKS);
      expect(index.violations.flatMap(Object.keys)).toEqual([]);
      served = await ServedIndex.of(index, BLOCKS);
    });
    afterAll(() => served.close());

    it('has at every height the accounts, voters, delegates and supply of an index that stopped there', async () => {
      const addresses = states.at(-1)!.accounts.map(({ address }) => address);
      for (let height = 1; height <= BLOCKS; height += 1)
        expectPast(await pastAnswers(served, height, addresses), states[height]!);
      // The chain has each of these.
      const accounts = states.flatMap((state) => state.accounts);
      const delegates = states.flatMap((state) => state.delegates);
      expect(accounts.some(({ locked }) => locked !== '0')).toBe(true);
      expect(accounts.some(({ secondPublicKey }) => secondPublicKey !== null)).toBe(true);
      expect(delegates.some(({ rank, isResigned }) => isResigned && rank === null)).toBe(true);
      expect(delegates.some(({ rank, isResigned }) => isResigned && rank !== null)).toBe(true);
    });
  },
);
