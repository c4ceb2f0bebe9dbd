import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, randomChain } from '@roundhouse/testing';
import { allAnswers } from './history/all-answers.js';
import { MemoryChain } from './history/memory-chain.js';
import { RecordedIndex } from './recorded-index.js';
import { ServedIndex } from './served-index.js';

const SEED = 4_004_004;
/** Both branches have the blocks up to here. */
const COMMON_HEAD = 60;
/** A round is 7 blocks, so undoing so many crosses the ends of several rounds. */
const MOST_UNDONE = 24;
const BLOCKS = COMMON_HEAD + MOST_UNDONE;
/** The api is asked about the heights from here on; what lies lower is only in the digests. */
const ASKED_FROM = COMMON_HEAD - 10;

const { network, blocks: main } = randomChain({ seed: SEED, blocks: BLOCKS });
const fork = randomChain({ seed: SEED, blocks: BLOCKS, forkFrom: COMMON_HEAD + 1 }).blocks;

const indexOf = (chain: MemoryChain, batchBlocks: number): Promise<RecordedIndex> =>
  RecordedIndex.create(chain, network, { batchBlocks, keepsHistory: true, checksInvariants: false });

describe('history after a fork', () => {
  const chain = new MemoryChain(main);
  /** The index that sees both branches. */
  let index: RecordedIndex;
  let served: ServedIndex;
  /** Has seen only the fork. */
  let straight: RecordedIndex;
  let servedStraight: ServedIndex;

  beforeAll(async () => {
    index = await indexOf(chain, 7);
    await index.indexTo(COMMON_HEAD);
    served = await ServedIndex.of(index, BLOCKS);
    straight = await indexOf(new MemoryChain(fork), 1);
    await straight.indexTo(COMMON_HEAD);
    servedStraight = await ServedIndex.of(straight, BLOCKS);
  });
  afterAll(async () => {
    await served.close();
    await servedStraight.close();
  });

  const untilServed = (api: ServedIndex, { id }: { readonly id: string }): Promise<unknown> =>
    eventually(`${id} is the head`, async () => (await api.get('/api/blocks/getHeight'))['id'] === id);

  it('answers about each height around the fork and above it as an index that saw only the other branch', async () => {
    chain.chain = main;
    await index.indexTo(BLOCKS);
    await untilServed(served, main.at(-1)!);
    // What the api keeps of these answers must not outlive their branch.
    const before = await allAnswers(served, ASKED_FROM);
    await index.undoTo(COMMON_HEAD);
    chain.chain = fork;
    await index.indexTo(BLOCKS);
    await straight.indexTo(BLOCKS);
    await Promise.all([served, servedStraight].map((each) => untilServed(each, fork.at(-1)!)));
    const after = await allAnswers(served, ASKED_FROM);
    expect(after).toEqual(await allAnswers(servedStraight, ASKED_FROM));
    const differing = [...before].filter(([path, answer]) => after.get(path) !== answer);
    expect(differing.length).toBeGreaterThan(10 * MOST_UNDONE);
    expect(differing.length).toBeLessThan(before.size);
  });
});
