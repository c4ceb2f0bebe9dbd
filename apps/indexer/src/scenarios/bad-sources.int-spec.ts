import type { WorkerHost } from '@nestjs/bullmq';
import { jest } from '@jest/globals';
import { JobQueues, refusedPauseMs, type FetchJob } from '@roundhouse/jobs';
import { NodeProtocolError, NodeUnavailableError } from '@roundhouse/source';
import { randomChain } from '@roundhouse/testing';
import type { Job } from 'bullmq';
import { FollowProcessor } from '../follow/follow.processor.js';
import { ApplyProcessor } from '../leader/apply.processor.js';
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
    await polls(10);
    const times = (range: string): number => source.asked.filter((asked) => asked === range).length;
    expect(times('1-100')).toBe(1);
    // Ten polls would have asked as often.
    expect(times('101-130')).toBeLessThan(5);
    expect(await harness.head()).toEqual({ height: 100, id: blocks[99]!.id });
  });

  it('what is right below a wrong block is indexed without waiting for that to be mended', async () => {
    source.beforeBlocks = (from, to) => {
      if (from <= 77 && to >= 77) throw new NodeProtocolError('memory', 'block 77 is wrong', { height: 77 });
    };
    await harness.start(source);
    await harness.reach(blocks[75]!);
    await polls(5);
    expect(await harness.head()).toEqual({ height: 76, id: blocks[75]!.id });
  });

  it('a poisoned range is tried again and again, after pauses that grow, and is indexed when it is mended', async () => {
    let isPoisoned = true;
    source.beforeBlocks = (from) => {
      if (from === 101 && isPoisoned) {
        throw new NodeProtocolError('memory', 'block 101 is wrong', { height: 101 });
      }
    };
    const indexer = await harness.start(source);
    const queues = indexer.app.get(JobQueues);
    const failed = (): Promise<Job<FetchJob>[]> => queues.queues[1]!.getFailed() as Promise<Job<FetchJob>[]>;
    for (const refusals of [0, 1, 2]) {
      await until(async () => (await failed()).some(({ data }) => data.refusals === refusals));
      const [job] = await failed();
      const restsFor = async (ms: number): Promise<boolean> =>
        (await queues.takenRanges(job!.finishedOn! + ms - 1)).length > 0;
      expect(await restsFor(refusedPauseMs(refusals + 1))).toBe(true);
      expect(refusedPauseMs(refusals + 2)).toBe(2 * refusedPauseMs(refusals + 1));
      // As if the pause were over.
      await queues.takenRanges(job!.finishedOn! + refusedPauseMs(refusals + 1));
      isPoisoned = refusals < 2;
      await queues.fetch([{ from: 101, to: 130 }]);
    }
    await harness.reach(blocks.at(-1)!);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('nudges that nobody takes do not pile up', async () => {
    const indexer = await harness.start(source);
    await harness.reach(blocks.at(-1)!);
    const queues = indexer.app.get(JobQueues);
    // The heartbeat goes on, and nobody takes what it asks for.
    const workers = [FollowProcessor, ApplyProcessor].map(
      (processor) => indexer.app.get<WorkerHost>(processor).worker,
    );
    await Promise.all(workers.map((worker) => worker.pause()));
    for (let index = 0; index < 60; index += 1) {
      await queues.poll(`key-${index}`, 1);
      await queues.apply('staged', 1);
      await queues.applyStaged({ from: index + 1, to: index + 1 });
      await queues.plan();
    }
    for (const { queue, state, jobs } of await queues.countJobs()) {
      expect([queue, state, jobs < 30]).toEqual([queue, state, true]);
    }
    for (const worker of workers) await worker.resume();
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
    const queues = indexer.app.get(JobQueues);
    await until(async () => (await queues.queues[1]!.getFailedCount()) === 2);
    const taken = await queues.takenRanges(0);
    expect(taken.map(({ from, to }) => `${from}-${to}`).sort()).toEqual(['1-100', '101-130']);
    expect(await queues.takenRanges(Date.now() + 3_600_000)).toEqual([]);
  });
});
