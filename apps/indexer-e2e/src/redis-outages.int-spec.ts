import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoreApiStandIn, redisUrl, startTestRedis, TcpProxy, type TestRedis } from '@roundhouse/testing';
import { Redis } from 'ioredis';
import { IndexUnderTest } from './index-under-test.js';
import type { IndexerProcess } from './indexer-process.js';
import { RECORDED_HEAD, recording } from './recording.js';

/** The promise: blocks are indexed again at most this long after Redis is back. */
const BACK_WITHIN_MS = 30_000;

// Without redis-server, these tests cannot run.
const describeWithRedis = redisUrl() === null ? describe.skip : describe;

describeWithRedis('an indexer with its queues in Redis', () => {
  let folder: string;
  let redis: TestRedis;
  let proxy: TcpProxy;
  let node: CoreApiStandIn;
  let whole: CoreApiStandIn['chain'];
  let index: IndexUnderTest;
  let process: IndexerProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-redis-'));
    redis = (await startTestRedis(folder))!;
    proxy = await TcpProxy.before(redis.url);
    node = await CoreApiStandIn.start('core-3.9');
    whole = node.chain;
    node.chain = whole.slice(0, 100);
    index = await IndexUnderTest.create('postgres', { ...recording('core-3.9'), BLOCK_SOURCE: node.url });
    process = index.run({ REDIS_URL: proxy.url });
    await index.reach(100, process);
  });

  afterAll(async () => {
    await index.close();
    await proxy.close();
    await redis.stop();
    await node.close();
    await rm(folder, { recursive: true });
  });

  const grow = (): number => {
    node.chain = whole.slice(0, node.chain.length + 20);
    return node.chain.length;
  };

  const send = async (command: string, ...args: string[]): Promise<void> => {
    const client = new Redis(redis.url);
    await client.call(command, ...args);
    await client.quit();
  };

  const expectBackInTime = async (height: number): Promise<void> => {
    const back = performance.now();
    await index.reach(height, process);
    expect(performance.now() - back).toBeLessThan(BACK_WITHIN_MS);
  };

  it('continues when Redis is stopped and comes back empty', async () => {
    await redis.stop();
    const height = grow();
    await process.says(/a connection of the queues failed/);
    redis = (await startTestRedis(folder, { port: Number(new URL(redis.url).port) }))!;
    await expectBackInTime(height);
  });

  it('continues when Redis is emptied', async () => {
    for (let times = 0; times < 5; times += 1) {
      const height = grow();
      await send('FLUSHALL');
      await expectBackInTime(height);
    }
  });

  it('logs that Redis has no memory left, and continues when there is memory again', async () => {
    await send('CONFIG', 'SET', 'maxmemory', '1');
    const height = grow();
    await process.says(/OOM command not allowed/);
    await send('CONFIG', 'SET', 'maxmemory', '0');
    await expectBackInTime(height);
  });

  it('continues when Redis hangs, is cut off and answers again', async () => {
    proxy.freeze();
    const height = grow();
    await proxy.cut();
    await proxy.restore();
    await expectBackInTime(height);
  });

  it('has lost, doubled and skipped nothing after all of this', async () => {
    node.chain = whole;
    await index.reach(RECORDED_HEAD, process);
    const straight = await IndexUnderTest.ofRecording('core-3.9');
    expect(await index.digest()).toBe(await straight.digest());
    await straight.close();
  });
});
