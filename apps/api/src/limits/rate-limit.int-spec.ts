import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readSettings } from '@roundhouse/config';
import { eventually, redisUrl, startTestRedis, TcpProxy, type TestRedis } from '@roundhouse/testing';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { apiSettings } from '../api.config.js';
import { RateLimit } from './rate-limit.service.js';

// Needs redis-server.
const describeWithRedis = redisUrl() === null ? describe.skip : describe;

describeWithRedis('the limit that pods share', () => {
  let folder: string;
  /** Its own: one test takes its memory away. */
  let server: TestRedis;
  let redis: Redis;
  let proxy: TcpProxy;
  let pods: RateLimit[];
  let lines: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-redis-'));
    server = (await startTestRedis(folder))!;
  });

  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    redis = new Redis(server.url);
    await redis.flushall();
    proxy = await TcpProxy.before(server.url);
    pods = [];
    lines = [];
  });

  afterEach(async () => {
    for (const pod of pods) pod.onApplicationShutdown();
    await proxy.close();
    redis.disconnect();
  });

  const aPod = (perMinute: number): RateLimit => {
    const settings = readSettings(apiSettings, {
      DATABASE_URL: 'postgres://nowhere/index',
      RATE_LIMIT: String(perMinute),
      REDIS_URL: proxy.url,
    });
    const logger = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
    const pod = new RateLimit(settings, logger);
    pods.push(pod);
    return pod;
  };

  const ask = async (pod: RateLimit, times: number, client = '203.0.113.7'): Promise<number> => {
    const waits = await Promise.all(Array.from({ length: times }, async () => pod.take(client)));
    return waits.filter((wait) => wait === 0).length;
  };

  it('is counted over all pods together, and for each client separately', async () => {
    const [one, other] = [aPod(10), aPod(10)];
    expect(await ask(one, 4)).toBe(4);
    expect(await ask(other, 20)).toBe(6);
    expect(await ask(one, 5)).toBe(0);
    expect(await ask(one, 10, '203.0.113.8')).toBe(10);
    expect(await ask(other, 1, '203.0.113.8')).toBe(0);
  });

  it('is never exceeded when pods are asked at the same time, and nearly all of it is granted', async () => {
    const both = [aPod(1000), aPod(1000)];
    let passed = 0;
    for (let turn = 0; turn < 6; turn += 1) {
      const counts = await Promise.all(both.map((pod) => ask(pod, 100)));
      passed += counts[0]! + counts[1]!;
    }
    // Each pod may hold back a hundredth of the limit: what it was granted and has not used.
    expect(passed).toBeGreaterThanOrEqual(990);
    expect(passed).toBeLessThanOrEqual(1000);
  });

  it('asks Redis for a hundredth at a time, and says when the minute is over', async () => {
    const pod = aPod(1000);
    expect(await ask(pod, 1)).toBe(1);
    expect(await redis.get('roundhouse:rate-limit:203.0.113.7')).toBe('10');
    for (let time = 0; time < 9; time += 1) expect(pod.take('203.0.113.7')).toBe(0);
    await redis.set('roundhouse:rate-limit:203.0.113.7', '1000', 'PX', 30_000);
    const wait = await pod.take('203.0.113.7');
    expect(wait).toBeGreaterThan(20_000);
    expect(wait).toBeLessThanOrEqual(30_000);
  });

  it('lets nobody wait for more than a minute, even if the clock of Redis went back a day', async () => {
    const pod = aPod(1000);
    await redis.set('roundhouse:rate-limit:203.0.113.7', '1000', 'PX', 86_400_000);
    expect(await pod.take('203.0.113.7')).toBeLessThanOrEqual(60_000);
    expect(await redis.pttl('roundhouse:rate-limit:203.0.113.7')).toBeLessThanOrEqual(60_000);
  });

  it('starts again when the minute is over', async () => {
    const pod = aPod(2);
    expect(await ask(pod, 3)).toBe(2);
    await redis.pexpire('roundhouse:rate-limit:203.0.113.7', 20);
    const other = aPod(2);
    await eventually(
      'the minute is over',
      async () => (await redis.exists('roundhouse:rate-limit:203.0.113.7')) === 0,
    );
    expect(await ask(other, 3)).toBe(2);
    expect(await redis.pttl('roundhouse:rate-limit:203.0.113.7')).toBeGreaterThan(50_000);
  });

  it.each<[string, (proxy: TcpProxy) => void | Promise<void>]>([
    ['gone', (way) => way.cut()],
    ['silent', (way) => way.freeze()],
  ])(
    'is counted by each pod alone while Redis is %s, which is logged once, and by all together afterwards',
    async (_, fail) => {
      const [one, other] = [aPod(10), aPod(10)];
      expect(await ask(one, 3)).toBe(3);
      expect(await ask(other, 1)).toBe(1);
      await fail(proxy);
      // Requests that passed earlier count too.
      expect(await ask(one, 20)).toBe(7);
      expect(await ask(other, 20)).toBe(9);
      expect(await ask(one, 20, '203.0.113.9')).toBe(10);
      expect(lines).toEqual(Array(2).fill(expect.stringMatching(/counted by each pod alone/)));
      await proxy.restore();
      await eventually('both share again', () => lines.length === 4);
      expect(lines.slice(2)).toEqual(Array(2).fill(expect.stringMatching(/over all pods again/)));
      expect((await ask(one, 6, '203.0.113.10')) + (await ask(other, 6, '203.0.113.10'))).toBe(10);
    },
  );

  it('is counted by each pod alone if Redis answers but cannot write', async () => {
    const pod = aPod(5);
    await redis.config('SET', 'maxmemory', '1');
    try {
      expect(await ask(pod, 9)).toBe(5);
      expect(lines).toEqual([expect.stringMatching(/counted by each pod alone/)]);
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
    await eventually('it is shared again', () => lines.length === 2);
  });
});
