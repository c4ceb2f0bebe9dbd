import { eventually } from '@roundhouse/testing';
import { DevnetProcess } from './devnet-process.js';
import { IndexUnderTest } from './index-under-test.js';
import type { IndexerProcess } from './indexer-process.js';
import { LimitedNode } from './limited-node.js';

/** Seconds from one slot to the next. */
const BLOCK_TIME = 4;

describe('an indexer that follows a node with a request limit', () => {
  let devnet: DevnetProcess;
  let node: LimitedNode;
  let index: IndexUnderTest;
  let process: IndexerProcess;

  beforeAll(async () => {
    devnet = await DevnetProcess.start({ DEVNET_BLOCK_TIME: String(BLOCK_TIME), DEVNET_MISS_RATE: '0' });
    node = await LimitedNode.before(devnet.url);
    index = await IndexUnderTest.create('postgres', { BLOCK_SOURCE: node.url });
  });

  afterAll(async () => {
    await index.close();
    await node.close();
    await devnet.stop();
  });

  /**
   * Follows the chain for this many blocks; returns the number of requests to the node, and the median seconds until a
   * block was indexed.
   */
  const follow = async (blocks: number) => {
    await index.reach((await index.height()) + 1, process);
    const before = { height: await index.height(), asked: node.asked.length };
    const seconds: number[] = [];
    for (let block = 1; block <= blocks; block += 1) {
      await index.reach(before.height + block, process);
      const { rows } = await index.pool.query<{ seconds: number }>(
        `SELECT extract(epoch FROM head.indexed_at - (network.configuration #>> '{milestones,0,epoch}')::timestamptz)::float8
           - head."timestamp" AS seconds FROM head, network`,
      );
      seconds.push(rows[0]!.seconds);
    }
    seconds.sort((a, b) => a - b);
    return { requests: node.asked.length - before.asked, median: seconds[Math.floor(blocks / 2)]! };
  };

  it('asks when a block is due, whatever the interval: fewer than 5 requests per block, which is indexed within its slot', async () => {
    process = index.run({ POLL_INTERVAL_MS: '60000' });
    await index.reach(120, process);
    await devnet.order('resume');
    const blocks = 8;
    const { requests, median } = await follow(blocks);
    // 8 s chains have 7.5 blocks a minute: fewer than 38 requests.
    expect(requests / blocks).toBeLessThan(5);
    expect(median).toBeLessThan(BLOCK_TIME / 2);
  });

  it('says at once that the node grants no more requests, asks nothing meanwhile, and continues afterwards', async () => {
    const url = process.operationsUrl;
    node.retryAfter = 6;
    await process.says(/the source is not asked for a while/);
    const refused = node.asked.length;
    const readiness = (await (await fetch(`${url}/health/ready`)).json()) as {
      readonly details: { readonly source: { readonly secondsLeft?: number } };
    };
    expect(readiness.details.source.secondsLeft).toBeGreaterThan(0);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^roundhouse_source_pause_seconds [1-6]$/m);
    node.retryAfter = null;
    await process.says(/grants this address no more requests.*the source does not answer; trying again/);
    expect(node.asked.length - refused).toBeLessThan(3);
    const height = await index.height();
    await eventually('the index continues', async () => (await index.height()) > height + 1, 60_000);
  });
});
