import { jest } from '@jest/globals';
import { JobQueues } from '@roundhouse/jobs';
import { NodeProtocolError, NodeUnavailableError } from '@roundhouse/source';
import { randomChain } from '@roundhouse/testing';
import { FetchService } from '../fetch/fetch.service.js';
import { IndexerHarness, MemorySource, queueBackends, straightDigest, until } from '../indexer.harness.js';

jest.setTimeout(30_000);

const { network, blocks } = randomChain({ seed: 3, blocks: 130 });

describe.each(queueBackends)('with queues on %s', (backend) => {
  let harness: IndexerHarness;
  let source: MemorySource;

  beforeEach(async () => {
    harness = await IndexerHarness.create(backend);
    source = new MemorySource(blocks, network);
  });

  afterEach(() => harness.close());

  /** Waits until the source was asked for its tip so many times more. */
  const polls = async (count: number): Promise<void> => {
    const goal = source.tipsAsked + count;
    await until(() => source.tipsAsked >= goal);
  };

  it('a range that the source cannot give now is tried again', async () => {
    let failures = 0;
    source.beforeBlocks = (from) => {
      if (from > 1 || failures === 2) return;
      failures += 1;
      throw new NodeUnavailableError('memory', 'timeout', 'no answer');
    };
    await harness.start(source);
    await harness.reach(blocks.at(-1)!);
    expect(failures).toBe(2);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('a range that cannot be right is not asked for again at once, and nothing of it is stored', async () => {
    source.beforeBlocks = (from) => {
      if (from === 101) throw new NodeProtocolError('memory', 'block 101 is wrong', { height: 101 });
    };
    await harness.start(source);
    await harness.reach(blocks[99]!);
    await polls(20);
    // Two at a time, in any order.
    expect([...source.asked].sort()).toEqual(['1-100', '101-130']);
    expect(await harness.head()).toEqual({ height: 100, id: blocks[99]!.id });
  });

  it('a source that goes away and comes back is followed on', async () => {
    source.chain = blocks.slice(0, 60);
    await harness.start(source);
    await harness.reach(blocks[59]!);
    source.isAway = true;
    await polls(5);
    source.chain = blocks;
    source.isAway = false;
    await harness.reach(blocks.at(-1)!);
  });

  it('a job that comes late asks the source for nothing', async () => {
    const indexer = await harness.start(source);
    await harness.reach(blocks.at(-1)!);
    const asked = source.asked.length;
    expect(await indexer.app.get(FetchService).fetch({ from: 31, to: 60 })).toBe('late');
    expect(source.asked).toHaveLength(asked);
  });

  it('a job whose range the head has entered fetches the rest alone', async () => {
    source.chain = blocks.slice(0, 60);
    const indexer = await harness.start(source);
    await harness.reach(blocks[59]!);
    source.chain = blocks;
    await indexer.app.get(FetchService).fetch({ from: 41, to: 70 });
    expect(source.asked).toContain('61-70');
    await harness.reach(blocks.at(-1)!);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('a failed job rests for a while, then its range is free again', async () => {
    source.beforeBlocks = () => {
      throw new NodeProtocolError('memory', 'nonsense');
    };
    const indexer = await harness.start(source);
    await until(() => source.asked.length > 0);
    const queues = indexer.app.get(JobQueues);
    await polls(3);
    const taken = await queues.takenRanges(Date.now());
    expect(taken.map(({ from, to }) => `${from}-${to}`).sort()).toEqual(['1-100', '101-130']);
    expect(await queues.takenRanges(Date.now() + 3_600_000)).toEqual([]);
  });
});
