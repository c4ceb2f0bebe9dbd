import { jest } from '@jest/globals';
import { JobQueues } from '@roundhouse/jobs';
import { NodeProtocolError, NodeUnavailableError } from '@roundhouse/source';
import { eventually, randomChain } from '@roundhouse/testing';
import { IndexerHarness, MemorySource, queueBackends } from '../indexer.harness.js';
import { PositionService } from '../follow/current-state.js';
import { Metrics } from '../operations/metrics.service.js';

const { network, blocks } = randomChain({ seed: 5, blocks: 60 });

const valueOf = (metrics: string, series: string): number | undefined => {
  const line = metrics.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

describe.each(queueBackends)('the metrics of an indexer with its queues on %s', (backend) => {
  let harness: IndexerHarness;

  beforeEach(async () => {
    harness = await IndexerHarness.create(backend);
  });

  afterEach(() => harness.close());

  it('show its height, what it has done and what waits', async () => {
    const indexer = await harness.start(new MemorySource(blocks, network));
    await harness.reach(blocks.at(-1)!);
    const read = async (): Promise<string> => (await fetch(`${indexer.operationsUrl}/metrics`)).text();
    await eventually(
      '60 blocks are applied',
      async () => valueOf(await read(), 'roundhouse_blocks_applied_total') === 60,
    );
    const metrics = await read();
    const transactions = blocks.reduce((sum, block) => sum + block.transactions.length, 0);
    for (const [series, value] of [
      ['roundhouse_head_height', 60],
      ['roundhouse_source_height', 60],
      ['roundhouse_lag_blocks', 0],
      ['roundhouse_leads', 1],
      ['roundhouse_transactions_applied_total', transactions],
      ['roundhouse_queue_jobs{queue="fetch",state="failed"}', 0],
      ['roundhouse_staged_max_bytes', 67_108_864],
      ['roundhouse_pool_max', 4],
      ['roundhouse_pool_waiting', 0],
      ['roundhouse_fork_depth_blocks_count', 0],
    ] as const) {
      expect([series, valueOf(metrics, series)]).toEqual([series, value]);
    }
    for (const phase of ['load', 'apply', 'commit']) {
      expect(valueOf(metrics, `roundhouse_apply_seconds_total{phase="${phase}"}`)).toBeGreaterThan(0);
    }
    expect(valueOf(metrics, 'roundhouse_batches_total')).toBeGreaterThan(0);
  });

  it('count the errors of the source by kind', async () => {
    const source = new MemorySource(blocks, network);
    source.beforeBlocks = (from) => {
      if (from === 11) throw new NodeProtocolError('memory', 'block 11 is wrong', { height: 11 });
    };
    source.chain = blocks.slice(0, 10);
    const indexer = await harness.start(source);
    await harness.reach(blocks[9]!);
    source.isAway = true;
    const read = async (kind: string): Promise<number | undefined> =>
      valueOf(
        await (await fetch(`${indexer.operationsUrl}/metrics`)).text(),
        `roundhouse_source_errors_total{kind="${kind}"}`,
      );
    await eventually('refusals are counted', async () => ((await read('refused')) ?? 0) > 1);
    expect(await read('protocol')).toBe(0);
    source.chain = blocks;
    source.isAway = false;
    await eventually('the protocol error is counted', async () => ((await read('protocol')) ?? 0) >= 1);
  });

  it('that cannot be read are omitted, and all others are still there', async () => {
    const indexer = await harness.start(new MemorySource(blocks, network));
    await harness.reach(blocks.at(-1)!);
    jest.spyOn(indexer.app.get(JobQueues), 'countJobs').mockReturnValue(new Promise(() => undefined));
    jest
      .spyOn(indexer.app.get(PositionService), 'refresh')
      .mockRejectedValue(new NodeUnavailableError('database', 'refused', 'nobody answers'));
    const metrics = await (await fetch(`${indexer.operationsUrl}/metrics`)).text();
    expect(metrics).not.toMatch(/^roundhouse_(queue_jobs|head_height|lag_blocks)/m);
    expect(valueOf(metrics, 'roundhouse_leads')).toBe(1);
    jest.restoreAllMocks();
  });
});

describe('the metrics of a source', () => {
  it('count an error once, however often it is reported', () => {
    const metrics = new Metrics();
    const error = new NodeUnavailableError('memory', 'timeout', 'no answer');
    metrics.countSourceError(error);
    metrics.countSourceError(error);
    metrics.countSourceError(new Error('not of the source'));
    return expect(metrics.registry.metrics()).resolves.toMatch(
      /^roundhouse_source_errors_total{kind="timeout"} 1$/m,
    );
  });
});
