import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBlockSource } from '@roundhouse/source';
import { CoreApiStandIn, recordedNodeFork, snapshotTables, type NodeBlock } from '@roundhouse/testing';
import { Client } from 'pg';
import { DisturbedStack } from './disturbed-stack.js';
import { JudgingReader } from './judging-reader.js';
import { archiveOf, networkOf, RECORDED_HEAD } from './recorded-chains.js';
import { RecordedIndex } from './recorded-index.js';

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
        // The fork is shorter and ends before the end of the round at 306; the main branch ends after it.
        node.chain = fork.slice(0, 304 + turn);
        await stack.reach(node.chain.at(-1)!);
        node.chain = main.slice(0, 310 + turn);
        await stack.reach(node.chain.at(-1)!);
      }
    });
    expect(counts.answers).toBeGreaterThan(20);
    expect(heads.size).toBeGreaterThan(2);
  });

  it.each([
    ['is restarted', 'fast', 316],
    ['crashes', 'immediate', 318],
  ] as const)('get 503 while PostgreSQL %s, and both apps connect to it again', async (_, how, to) => {
    const { counts } = await whileReading(async () => {
      node.chain = main.slice(0, to - 1);
      await stack.losePostgres(how);
      node.chain = main.slice(0, to);
      await stack.findPostgres();
      await stack.reach(main[to - 1]!);
    });
    expect(counts.refusals).toBeGreaterThan(0);
  });

  it('read the tables of an undisturbed index in the end', async () => {
    node.chain = main;
    await stack.reach(main.at(-1)!);
    const network = await networkOf('core-2.4');
    const source = await createBlockSource({ urls: archiveOf('core-2.4'), network });
    const straight = await RecordedIndex.create(source, network);
    await straight.indexTo(RECORDED_HEAD);
    const client = new Client({ connectionString: stack.databaseUrl });
    await client.connect();
    expect(await snapshotTables(client)).toEqual(await snapshotTables(straight.client));
    await client.end();
    await straight.close();
    await source.close();
  });
});
