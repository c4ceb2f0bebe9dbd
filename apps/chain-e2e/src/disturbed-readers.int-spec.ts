import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CoreApiStandIn, recordedNodeFork, type NodeBlock } from '@roundhouse/testing';
import { DisturbedStack } from './disturbed-stack.js';
import { JudgingReader } from './judging-reader.js';

describe('readers of a disturbed index', () => {
  let node: CoreApiStandIn;
  let main: readonly NodeBlock[];
  let fork: readonly NodeBlock[];
  let stack: DisturbedStack;

  beforeAll(async () => {
    node = await CoreApiStandIn.start('core-2.4');
    main = node.chain;
    fork = recordedNodeFork(main);
    node.chain = main.slice(0, 310);
    stack = await DisturbedStack.start(node.url);
    await stack.reach(main[309]!);
  });

  afterAll(async () => {
    await stack.stop();
    await node.close();
  });

  const whileReading = async (work: () => Promise<void>): Promise<JudgingReader> => {
    const reader = new JudgingReader(stack.api.url);
    try {
      await work();
    } finally {
      await reader.stop();
    }
    expect(reader.problems).toEqual([]);
    return reader;
  };

  it('see one branch or the other in each answer while forks go back and forth, never a mixture', async () => {
    const { counts, heads } = await whileReading(async () => {
      // A third turn would wait for minutes: a source that goes back and forth is followed after growing pauses.
      for (let turn = 0; turn < 2; turn += 1) {
        // The round ends at 306. The fork is shorter and ends before that; the main branch ends after it.
        node.chain = fork.slice(0, 304 + turn);
        await stack.reach(node.chain.at(-1)!);
        node.chain = main.slice(0, 310 + turn);
        await stack.reach(node.chain.at(-1)!);
      }
    });
    expect(counts.answers).toBeGreaterThan(20);
    expect(counts.supplies).toBeGreaterThan(5);
    expect(heads.size).toBeGreaterThan(2);
  });
});
