import { eventually } from '@roundhouse/testing';
import { DevnetProcess } from './devnet-process.js';
import { IndexUnderTest } from './index-under-test.js';
import type { IndexerProcess } from './indexer-process.js';

/** Seconds from one slot to the next. */
const BLOCK_TIME = 4;

describe('an indexer that follows a node with a request limit', () => {
  let devnet: DevnetProcess;
  let index: IndexUnderTest;
  let process: IndexerProcess;

  beforeAll(async () => {
    devnet = await DevnetProcess.start({ DEVNET_BLOCK_TIME: String(BLOCK_TIME), DEVNET_MISS_RATE: '0' });
    index = await IndexUnderTest.create('postgres', { BLOCK_SOURCE: devnet.url });
  });

  afterAll(async () => {
    await index.close();
    await devnet.stop();
  });

  /** How often the node has been asked. */
  const asked = async (): Promise<number> => (await devnet.order('resume')).requests;

  /**
   * Follows the chain for this many blocks; returns the medians: of the requests to the node for a block, and of the
   * seconds until it was indexed.
   */
  const follow = async (blocks: number) => {
    await index.reach((await index.height()) + 1, process);
    const height = await index.height();
    const requests: number[] = [];
    const seconds: number[] = [];
    for (let block = 1; block <= blocks; block += 1) {
      const before = await asked();
      await index.reach(height + block, process);
      requests.push((await asked()) - before);
      const { rows } = await index.pool.query<{ seconds: number }>(
        `SELECT extract(epoch FROM head.indexed_at - (network.configuration #>> '{milestones,0,epoch}')::timestamptz)::float8
           - head."timestamp" AS seconds FROM head, network`,
      );
      seconds.push(rows[0]!.seconds);
    }
    const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(blocks / 2)]!;
    return { requests: median(requests), seconds: median(seconds) };
  };

  it('asks when a block is due, whatever the interval: fewer than 5 requests per block, which is indexed within its slot', async () => {
    process = index.run({ POLL_INTERVAL_MS: '60000' });
    await index.reach(120, process);
    await devnet.order('resume');
    const blocks = 8;
    const { requests, seconds } = await follow(blocks);
    // 8 s chains have 7.5 blocks a minute: fewer than 38 requests.
    expect(requests).toBeLessThan(5);
    expect(seconds).toBeLessThan(BLOCK_TIME / 2);
  });

  it('says at once that the node grants no more requests, asks nothing meanwhile, and continues afterwards', async () => {
    const url = process.operationsUrl;
    await devnet.order('misbehave', { kind: 'failing', status: 429, retryAfter: 6 });
    await process.says(/the source is not asked for a while/);
    const refused = await asked();
    const readiness = (await (await fetch(`${url}/health/ready`)).json()) as {
      readonly source?: { readonly secondsLeft: number };
    };
    expect(readiness.source?.secondsLeft).toBeGreaterThan(0);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^roundhouse_source_pause_seconds [1-6]$/m);
    await devnet.order('behave');
    await process.says(/grants this address no more requests.*the source does not answer; trying again/);
    expect((await asked()) - refused).toBeLessThan(3);
    const height = await index.height();
    await eventually('the index continues', async () => (await index.height()) > height + 1);
  });
});
