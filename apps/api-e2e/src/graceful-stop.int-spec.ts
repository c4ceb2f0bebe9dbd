import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { startApiProcess } from './support/api-process.js';
import { KeepAliveClient } from './support/keep-alive-client.js';
import { lockBlocks } from './support/locked-blocks.js';
import { connectTo } from './support/plain-request.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const PATH = '/api/blocks/getHeight';

const secondsFrom = (start: number): number => (performance.now() - start) / 1000;

describe('an api that is asked to stop', () => {
  let served: ServedChain;
  let api: RunningApi;
  let client: KeepAliveClient;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());
  beforeEach(() => {
    client = new KeepAliveClient();
  });
  afterEach(async () => {
    client.close();
    await api.close();
  });

  const readiness = async (): Promise<unknown> => {
    const response = await fetch(`${api.operationsUrl}/health/ready`);
    return [response.status, await response.json()];
  };

  const isRefusing = async (): Promise<boolean> => {
    const another = new KeepAliveClient();
    const code = await another.get(api.url + PATH).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code,
    );
    another.close();
    return code === 'ECONNREFUSED';
  };

  it('is unready at once, serves as before for SHUTDOWN_DELAY_MS, then accepts no connection', async () => {
    api = await startApi(served.databaseUrl, { SHUTDOWN_DELAY_MS: '5000' });
    const start = performance.now();
    const stopped = api.stop();
    expect(await readiness()).toEqual([503, { status: 'not ready', reason: 'The api is stopping.' }]);
    expect((await fetch(`${api.operationsUrl}/health/live`)).status).toBe(200);
    const { status, headers } = await client.get(api.url + PATH);
    expect([status, headers.connection]).toEqual([200, 'keep-alive']);
    expect(secondsFrom(start)).toBeLessThan(5);
    await stopped;
    expect(secondsFrom(start)).toBeGreaterThan(4.99);
    expect(await isRefusing()).toBe(true);
    await expect(fetch(`${api.operationsUrl}/health/live`)).rejects.toThrow();
  });

  it.each(['/api/blocks/getHeight', '/api/blocks?limit=7', '/api/nothing', '/docs', '/docs/json'])(
    'answers on a kept connection, and announces that this was the last answer: %s',
    async (path) => {
      api = await startApi(served.databaseUrl);
      expect((await client.get(api.url + path)).headers.connection).toBe('keep-alive');
      const stopped = api.stop();
      let answer: Awaited<ReturnType<typeof client.get>>;
      do answer = await client.get(api.url + path);
      while (answer.headers.connection !== 'close');
      expect(answer.status).toBe(path === '/api/nothing' ? 404 : 200);
      expect(await isRefusing()).toBe(true);
      await stopped;
    },
  );

  it('closes connections that stay idle, without waiting for their clients', async () => {
    api = await startApi(served.databaseUrl);
    const idle = connectTo(api.url);
    idle.write(`GET ${PATH} HTTP/1.1\r\nHost: here\r\n\r\n`);
    await once(idle, 'data');
    const start = performance.now();
    const closed = once(idle, 'close');
    await api.stop();
    expect(await closed).toEqual([false]);
    // It would wait 8 s for a client.
    expect(secondsFrom(start)).toBeLessThan(7);
  });

  it.each(['url', 'coreV1Url'] as const)('answers requests in flight that came to its %s', async (port) => {
    api = await startApi(served.databaseUrl, { CORE_V1_PORT: '0' });
    const lock = await lockBlocks(served.database);
    const pending = client.get(`${api[port]}/api/blocks?limit=9`);
    await lock.untilWaiting(1);
    const stopped = api.stop();
    await eventually('it refuses connections', isRefusing);
    // Now its connections have had their time for a last request.
    await Promise.race([stopped, wait(1_500)]);
    await lock.unlock();
    const { status, headers } = await pending;
    expect([status, headers.connection]).toEqual([200, 'close']);
    await stopped;
  });

  it('loses no request under load', async () => {
    api = await startApi(served.databaseUrl, { SHUTDOWN_DELAY_MS: '300' });
    const failures: string[] = [];
    const counts = { here: 0, elsewhere: 0, lastOnes: 0 };
    let isLoaded = true;

    /** Like a balancer: a server that refuses a connection gets no more requests; any other error is a failed request. */
    const load = async (): Promise<void> => {
      const connection = new KeepAliveClient();
      let base = api.url;
      for (let turn = 0; isLoaded; turn += 1) {
        const path = turn % 2 === 0 ? PATH : `/api/blocks?limit=${1 + (turn % 100)}&turn=${turn}`;
        try {
          const { status, headers } = await connection.get(base + path);
          // If this process stalls, the api has no confirmed head for a moment.
          if (status !== 200 && status !== 503) failures.push(`${status} ${path}`);
          if (headers.connection === 'close') counts.lastOnes += 1;
          counts[base === api.url ? 'here' : 'elsewhere'] += 1;
        } catch (error) {
          const { code, message } = error as NodeJS.ErrnoException;
          if (code !== 'ECONNREFUSED') failures.push(message);
          base = served.api.url;
        }
      }
      connection.close();
    };

    const loads = Array.from({ length: 16 }, load);
    await eventually('this one answers', () => counts.here > 200);
    await api.stop();
    await eventually('the other one answers', () => counts.elsewhere > 200);
    isLoaded = false;
    await Promise.all(loads);
    expect(failures).toEqual([]);
    expect(counts.lastOnes).toBeGreaterThan(0);
  });

  it('keeps connections longer than proxies do', async () => {
    api = await startApi(served.databaseUrl);
    const { headers } = await client.get(api.url + PATH);
    const [, seconds] = /^timeout=(\d+)/.exec(String(headers['keep-alive']))!;
    expect(Number(seconds)).toBeGreaterThan(60);
  });
});

describe('the process of an api', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

  it.each(['SIGTERM', 'SIGINT'] as const)('ends well on %s', async (signal) => {
    const notSlow = { SLOW_REQUEST_MS: '0', SLOW_QUERY_MS: '0' };
    const api = await startApiProcess({ DATABASE_URL: served.databaseUrl, ...notSlow });
    expect((await fetch(api.url + PATH)).status).toBe(200);
    api.kill(signal);
    expect(await api.ended).toEqual({ code: 0, signal: null });
    const said = api.lines.map(({ msg }) => String(msg));
    // It says so on a busy machine.
    expect(said.filter((line) => !line.startsWith('the database can'))).toEqual([
      'the api answers',
      'the api stops',
      'the api has stopped',
    ]);
  });

  it('ends at once on a second signal', async () => {
    const api = await startApiProcess({ DATABASE_URL: served.databaseUrl, SHUTDOWN_DELAY_MS: '5000' });
    api.kill('SIGTERM');
    await eventually('it is unready', async () =>
      (await (await fetch(`${api.operationsUrl}/health/ready`)).text()).includes('is stopping'),
    );
    const start = performance.now();
    api.kill('SIGTERM');
    expect(await api.ended).toEqual({ code: 1, signal: null });
    expect(secondsFrom(start)).toBeLessThan(4);
  });

  it('ends within 10 s, with the longest delay and with a client that does not read', async () => {
    const api = await startApiProcess({ DATABASE_URL: served.databaseUrl, SHUTDOWN_DELAY_MS: '5000' });
    const deaf = connectTo(api.url);
    deaf.on('error', () => undefined);
    // More than all buffers on the way can hold.
    deaf.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(20));
    await once(deaf, 'data');
    deaf.pause();
    api.kill('SIGTERM');
    // On a busy machine it may end by its own limit.
    expect(await api.ended).toMatchObject({ signal: null });
    const told = api.lines.findIndex(({ msg }) => msg === 'the api stops');
    const [first, last] = [api.lines[told]!, api.lines.at(-1)!].map(({ time }) => Date.parse(String(time)));
    const seconds = (last! - first!) / 1_000;
    // It waits for SHUTDOWN_DELAY_MS by a timer, which may be a millisecond early.
    expect(seconds).toBeGreaterThan(4.99);
    // 9.5 s by its own limit; the rest is for a stall.
    expect(seconds).toBeLessThan(15);
    deaf.destroy();
  });
});
