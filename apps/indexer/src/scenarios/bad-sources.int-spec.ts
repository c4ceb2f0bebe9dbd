import type { WorkerHost } from '@nestjs/bullmq';
import { jest } from '@jest/globals';
import { TransactionType } from '@roundhouse/chain';
import { JobQueues, refusedPauseMs, type FetchJob } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import { NodeProtocolError, NodeUnavailableError } from '@roundhouse/source';
import { readRefusedBlock, stageBlocks } from '@roundhouse/storage';
import { aTransaction, eventually, randomChain } from '@roundhouse/testing';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import { BulkBlocks } from '../bulk/bulk-blocks.service.js';
import { ApplyWorker, FetchWorker, FollowWorker } from '../workers.js';
import { FetchService, type GoOn } from '../fetch/fetch.service.js';
import {
  IndexerHarness,
  MemorySource,
  queueBackends,
  readiness,
  straightDigest,
} from '../indexer.harness.js';

const { network, blocks } = randomChain({ seed: 3, blocks: 130 });

const resignation = aTransaction({ type: TransactionType.DelegateResignation });

let harness: IndexerHarness;
let source: MemorySource;

const withQueuesOn = (backend: (typeof queueBackends)[number]): void => {
  beforeEach(async () => {
    harness = await IndexerHarness.create(backend);
    source = new MemorySource(blocks, network);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await harness.close();
  });
};

describe.each(queueBackends)('with queues on %s', (backend) => {
  withQueuesOn(backend);

  it('a range that the source cannot return at the moment is requested again', async () => {
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

  it('a wrong range is not requested again at once, and nothing of it is stored', async () => {
    source.beforeBlocks = (from) => {
      if (from === 101) throw new NodeProtocolError('memory', 'block 101 is wrong', { height: 101 });
    };
    await harness.start(source);
    await harness.reach(blocks[99]!);
    await source.polls(10);
    const times = (range: string): number => source.asked.filter((asked) => asked === range).length;
    expect(times('1-100')).toBe(1);
    // A request at every poll would make ten.
    expect(times('101-130')).toBeLessThan(5);
    expect(await harness.head()).toEqual({ height: 100, id: blocks[99]!.id });
  });

  it('a poisoned range is requested again after growing pauses, and is indexed when it is correct', async () => {
    let isPoisoned = true;
    source.beforeBlocks = (from) => {
      if (from === 101 && isPoisoned) {
        throw new NodeProtocolError('memory', 'block 101 is wrong', { height: 101 });
      }
    };
    const indexer = await harness.start(source);
    const queues = indexer.app.get(JobQueues);
    const failed = (): Promise<Job<FetchJob>[]> => queues.queues[1]!.getFailed() as Promise<Job<FetchJob>[]>;
    let refusals = -1;
    while (isPoisoned) {
      // The indexer's own polls may request the range as well, once its pause is over.
      await eventually('the failed job counts one more refusal', async () =>
        (await failed()).some(({ data }) => data.refusals! > refusals),
      );
      const [job] = await failed();
      refusals = job!.data.refusals!;
      const restsFor = async (ms: number): Promise<boolean> =>
        (await queues.takenRanges(job!.finishedOn! + ms - 1)).length > 0;
      expect(await restsFor(refusedPauseMs(refusals + 1))).toBe(true);
      expect(refusedPauseMs(refusals + 2)).toBe(2 * refusedPauseMs(refusals + 1));
      // As if the pause were over, in the table and in the queue.
      await harness.pool.query("UPDATE refused_blocks SET refused_at = refused_at - interval '1 hour'");
      await queues.takenRanges(job!.finishedOn! + refusedPauseMs(refusals + 1));
      isPoisoned = refusals < 2;
      await queues.fetch([{ from: 101, to: 130 }]);
    }
    await harness.reach(blocks.at(-1)!);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('nudges that no worker takes do not pile up', async () => {
    const indexer = await harness.start(source);
    await harness.reach(blocks.at(-1)!);
    const queues = indexer.app.get(JobQueues);
    // The heartbeat continues, but nobody takes its jobs.
    const workers = [FollowWorker, ApplyWorker].map(
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

  it('a failed job keeps its range during its pause, then the range is free again', async () => {
    source.beforeBlocks = () => {
      throw new NodeProtocolError('memory', 'nonsense');
    };
    const indexer = await harness.start(source);
    const queues = indexer.app.get(JobQueues);
    await eventually('two jobs have failed', async () => (await queues.queues[1]!.getFailedCount()) === 2);
    const taken = await queues.takenRanges(0);
    expect(taken.map(({ from, to }) => `${from}-${to}`).sort()).toEqual(['1-100', '101-130']);
    expect(await queues.takenRanges(Date.now() + 3_600_000)).toEqual([]);
  });
});

// Here the queues only bring the jobs.
describe('whatever the queues', () => {
  withQueuesOn('postgres');

  it('the blocks below a wrong one are indexed without waiting for the correct one', async () => {
    source.beforeBlocks = (from, to) => {
      if (from <= 77 && to >= 77) throw new NodeProtocolError('memory', 'block 77 is wrong', { height: 77 });
    };
    await harness.start(source);
    await harness.reach(blocks[75]!);
    await source.polls(5);
    expect(await harness.head()).toEqual({ height: 76, id: blocks[75]!.id });
  });

  /** The source checks nothing. At height 77 an account that is not a delegate resigns, and pays nothing. */
  const poisoned = blocks.map((block) =>
    block.height === 77 ? { ...block, transactions: [resignation, ...block.transactions] } : block,
  );

  it('a block that cannot be applied is dropped, reported, requested again after pauses, and replaced by the correct one', async () => {
    source.chain = poisoned;
    const { operationsUrl, halted } = await harness.start(source);
    const halts = halted.then((reason) => Promise.reject(reason));
    await Promise.race([harness.reach(blocks[75]!), halts]);
    await eventually(
      'the block has been refused 2 times',
      async () => ((await readRefusedBlock(harness.pool))?.refusals ?? 0) >= 2,
    );
    expect(await readRefusedBlock(harness.pool)).toMatchObject({ height: 77, source: 'memory' });
    expect((await harness.head())?.height).toBe(76);
    await eventually('readiness says why', async () => {
      const [status, text] = await readiness(operationsUrl);
      return (
        status === 503 &&
        /Block 77 cannot be applied: .*costs no fee .*given by memory, refused \d times in a row/.test(text)
      );
    });
    await source.polls(10);
    // A request at every poll would make ten.
    expect(source.asked.filter((asked) => asked.startsWith('77-')).length).toBeLessThan(6);
    source.chain = blocks;
    await Promise.race([harness.reach(blocks.at(-1)!), halts]);
    expect((await readiness(operationsUrl))[0]).toBe(200);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('a staged block that cannot be applied is replaced after a start with a correct source', async () => {
    await stageBlocks(harness.pool, poisoned, 'another');
    const { halted } = await harness.start(source);
    await Promise.race([harness.reach(blocks.at(-1)!), halted.then((reason) => Promise.reject(reason))]);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('a block that is refused in bulk leaves another one that is staged, which is applied', async () => {
    await stageBlocks(harness.pool, blocks, 'another');
    source.segments = async function* () {};
    const read = jest.spyOn(BulkBlocks.prototype, 'read');
    const rest = jest.spyOn(BulkBlocks.prototype, 'rest').mockImplementation(() => {
      read.mockResolvedValue(null);
    });
    read.mockImplementation(async (height) => poisoned.slice(height - 1));
    await harness.start(source);
    await harness.reach(blocks.at(-1)!);
    expect(rest).toHaveBeenCalledTimes(1);
    expect(source.asked).toEqual([]);
  });

  it('a source that returns a different wrong block each time is asked only after pauses, too', async () => {
    let turn = 0;
    source.chain = poisoned;
    source.beforeBlocks = () => {
      turn += 1;
      source.chain = poisoned.map((block) => ({ ...block, payloadLength: turn }));
    };
    await harness.start(source);
    await harness.reach(blocks[75]!);
    await eventually(
      'the block has been refused 3 times',
      async () => ((await readRefusedBlock(harness.pool))?.refusals ?? 0) >= 3,
    );
    const asked = turn;
    await source.polls(10);
    expect(turn - asked).toBeLessThan(2);
  });

  it('a refused block is requested again after its pause even if the clock of the database went back a day', async () => {
    source.chain = poisoned;
    await harness.start(source);
    await harness.reach(blocks[75]!);
    await eventually(
      'the block has been refused 2 times',
      async () => ((await readRefusedBlock(harness.pool))?.refusals ?? 0) >= 2,
    );
    await harness.pool.query("UPDATE refused_blocks SET refused_at = now() + interval '1 day'");
    source.chain = blocks;
    await harness.reach(blocks.at(-1)!);
  });

  it.each([
    ['fetched blocks', 'INSERT ON staged_ranges', 'fetching'],
    ['the height of the source', 'INSERT OR UPDATE ON source_status', 'following'],
  ])(
    'a database that does not accept %s is logged, and makes the indexer unready, whatever the reason',
    async (_, refusedWrite, doing) => {
      await harness.pool.query(`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'no more of this' USING ERRCODE = 'ZZ999'; END $$;
        CREATE TRIGGER refuse BEFORE ${refusedWrite} FOR EACH ROW EXECUTE FUNCTION refuse()`);
      const { app, operationsUrl } = await harness.start(source);
      const said = jest.spyOn(app.get<Logger>(LOGGER), 'error');
      await eventually(`readiness says "${doing}: no more of this"`, async () =>
        (await readiness(operationsUrl))[1].includes(`${doing}: no more of this`),
      );
      await eventually('the log has the failure', () =>
        said.mock.calls.some(([fields]) => JSON.stringify(fields).includes('no more of this')),
      );
      await harness.pool.query('DROP FUNCTION refuse CASCADE');
      await harness.reach(blocks.at(-1)!);
      expect((await readiness(operationsUrl))[0]).toBe(200);
    },
  );

  it('a source that goes away is followed again when it is back', async () => {
    source.chain = blocks.slice(0, 60);
    const { operationsUrl } = await harness.start(source);
    await harness.reach(blocks[59]!);
    source.isAway = true;
    await eventually('readiness says "source: nobody answers"', async () =>
      (await readiness(operationsUrl))[1].includes('source: nobody answers'),
    );
    source.chain = blocks;
    source.isAway = false;
    await harness.reach(blocks.at(-1)!);
    expect((await readiness(operationsUrl))[0]).toBe(200);
  });

  it('a fetch job that comes late requests nothing from the source', async () => {
    const indexer = await harness.start(source);
    await harness.reach(blocks.at(-1)!);
    const asked = source.asked.length;
    const goOn = jest.fn<GoOn>();
    expect(await indexer.app.get(FetchService).fetch({ from: 31, to: 60 }, goOn)).toBe('late');
    expect(goOn).not.toHaveBeenCalled();
    expect(source.asked).toHaveLength(asked);
  });

  it('a fetch job whose range is partly indexed fetches only the rest', async () => {
    source.chain = blocks.slice(0, 60);
    const indexer = await harness.start(source);
    await harness.reach(blocks[59]!);
    source.chain = blocks;
    await indexer.app.get(FetchWorker).work({ from: 41, to: 70 });
    expect(source.asked).toContain('61-70');
    await harness.reach(blocks.at(-1)!);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });
});
