import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { eventually, TcpProxy, untilServed } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { lockBlocks } from './support/locked-blocks.js';
import { readMetric } from './support/metrics.js';
import { plainRequest, type PlainAnswer } from './support/plain-request.js';
import { getError, getText, getTextOnce } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

/** Below the size of the pool: each request gets a connection and waits up to the time limit of a query. */
const MOST = 8;

/** The connections of an api: ten for answers, and one that watches the head. */
const MOST_CONNECTIONS = 11;

let served: ServedChain;
beforeAll(async () => {
  served = await serveChain();
});
afterAll(() => served.stop());

/** Each request is different, so that none can share another's answer. `clientOf`: the last part of its client's address. */
const askMany = (
  url: string,
  count: number,
  from = 0,
  clientOf: (index: number) => number = () => 1,
): Promise<PlainAnswer>[] =>
  Array.from({ length: count }, (_, index) =>
    plainRequest(`${url}/api/blocks?limit=1&offset=${from + index}`, {
      'X-Forwarded-For': `192.0.2.${clientOf(index)}`,
    }),
  );

const countOf = (answers: readonly PlainAnswer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

describe('a database out of reach', () => {
  let proxy: TcpProxy;
  let api: RunningApi;
  beforeEach(async () => {
    proxy = await TcpProxy.before(served.databaseUrl);
    api = await startApi(proxy.url, { MAX_WAITING_REQUESTS: String(MOST) });
  });
  afterEach(async () => {
    await api.close();
    await proxy.close();
  });

  const statusOf = async (path: string): Promise<number> => (await getTextOnce(api.url, path)).status;

  it.each<[string, 'cut' | 'freeze']>([
    ['cut off', 'cut'],
    ['silent', 'freeze'],
  ])(
    '%s: kept answers are served for at most a second, then 503, until the database is back',
    async (_, fail) => {
      const warm = '/api/blocks?limit=5';
      expect(await statusOf(warm)).toBe(200);
      await eventually('a kept answer outlives the database', async () => {
        await proxy.restore();
        if ((await statusOf(warm)) !== 200) return false;
        await proxy[fail]();
        return (await statusOf(warm)) === 200;
      });
      const elapsed = await eventually('it stops serving', async () => (await statusOf(warm)) === 503);
      // 1.4 s, and the stalls of a busy machine: a request without a confirmed head waits 300 ms for a new reading.
      expect(elapsed).toBeLessThan(5_000);
      const { status, text, headers } = await getTextOnce(api.url, '/api/blocks/getHeight');
      expect([status, JSON.parse(text)]).toEqual([
        503,
        { success: false, error: expect.stringMatching(/cannot be read|cannot answer/) },
      ]);
      expect(headers.get('retry-after')).toBe('1');
      // The last known head.
      expect(headers.get('x-chain-height')).toBe('130');
      expect(await statusOf('/api/loader/status')).toBe(503);
      await proxy.restore();
      await eventually('it serves again', async () => (await statusOf(warm)) === 200);
      expect(await statusOf('/api/blocks?limit=6')).toBe(200);
    },
  );

  it('shows in readiness, not in liveness; malformed and unknown requests are answered as usual', async () => {
    const ready = (): Promise<Response> => fetch(`${api.operationsUrl}/health/ready`);
    await eventually('it is ready at first', async () => (await ready()).status === 200);
    await proxy.cut();
    await eventually('it is unready', async () => (await ready()).status === 503);
    expect((await fetch(`${api.operationsUrl}/health/live`)).status).toBe(200);
    await eventually('it stops serving', async () => (await statusOf('/api/blocks')) === 503);
    expect(await statusOf('/api/blocks?limit=x')).toBe(400);
    expect(await statusOf('/api/nothing')).toBe(404);
    expect(await statusOf('/docs/json')).toBe(200);
    await proxy.restore();
    await eventually('it is ready', async () => (await ready()).status === 200);
  });

  it('that does not answer keeps no request waiting for long; the api serves again when it answers', async () => {
    proxy.freeze();
    const startedAt = performance.now();
    const answers = await Promise.all(askMany(api.url, 130));
    expect(countOf(answers, 503)).toBe(answers.length);
    expect(await readMetric(api, 'roundhouse_requests_refused_total')).toBeGreaterThan(0);
    // A query times out after 5 s, and no request waits for more than one.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    await proxy.restore();
    await eventually('it answers again', async () => (await statusOf('/api/blocks?limit=1')) === 200);
  });
});

describe('a slow database', () => {
  it('lets MAX_WAITING_REQUESTS requests wait, refuses the others at once, and still sends ready answers', async () => {
    const api = await startApi(served.databaseUrl, { MAX_WAITING_REQUESTS: String(MOST), TRUST_PROXY: '1' });
    const ready = `${api.url}/api/delegates/count`;
    await plainRequest(ready);
    // Opens the connections.
    await Promise.all(askMany(api.url, MOST, 500));
    const lock = await lockBlocks(served.database);
    const waiting = askMany(api.url, MOST);
    await eventually(
      'all of them wait',
      async () => (await readMetric(api, 'roundhouse_requests_waiting')) === MOST,
    );
    const others = await Promise.all(askMany(api.url, 90, MOST));
    // On a busy machine some waiting requests have timed out by now, and made room.
    const refused = others.filter(({ bytes }) => bytes.includes('Too many requests wait'));
    expect(refused.length).toBeGreaterThan(0);
    expect([refused[0]!.status, refused[0]!.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(refused[0]!.bytes.toString())).toEqual({
      success: false,
      error: 'Too many requests wait for an answer already; try again in a moment.',
    });
    expect((await plainRequest(ready)).status).toBe(200);
    expect(await readMetric(api, 'roundhouse_requests_refused_total')).toBeGreaterThanOrEqual(refused.length);
    expect(await readMetric(api, 'roundhouse_requests_waiting_max')).toBe(MOST);
    // One client alone cannot take the api from the others.
    expect((await plainRequest(`${api.operationsUrl}/health/ready`)).status).toBe(200);
    const more: Promise<PlainAnswer>[] = [];
    await eventually('readiness says so if each is of another client', async () => {
      more.push(...askMany(api.url, 2 * MOST, 100, (index) => index + 2));
      const { status, bytes } = await plainRequest(`${api.operationsUrl}/health/ready`);
      return status === 503 && bytes.includes('Requests wait too long for the database, or too many do');
    });
    await lock.unlock();
    // On a busy machine some have timed out by now.
    const answers = await Promise.all([...waiting, ...more]);
    expect(countOf(answers, 200) + countOf(answers, 503)).toBe(answers.length);
    expect(await readMetric(api, 'roundhouse_requests_waiting')).toBe(0);
    await eventually(
      'requests may come here again',
      async () => (await plainRequest(`${api.operationsUrl}/health/ready`)).status === 200,
    );
    expect((await plainRequest(`${api.url}/api/blocks?limit=1&offset=0`)).status).toBe(200);
    await api.close();
  });

  it('has eleven connections of an api at most, however many requests wait for it', async () => {
    const countConnections = async (): Promise<number> => {
      const rows = await served.database.query<unknown[]>(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'roundhouse-api%'`,
      );
      return rows.length;
    };
    const lock = await lockBlocks(served.database);
    // One that waited too long for a connection is told to try again.
    const asked = Array.from({ length: 20 }, (_, n) =>
      untilServed(() => plainRequest(`${served.api.url}/api/blocks?limit=1&offset=${n}`)),
    );
    await eventually('all are open, and requests wait', async () => {
      const open = await countConnections();
      expect(await readMetric(served.api, 'roundhouse_pool_connections')).toBeLessThan(MOST_CONNECTIONS);
      return open === MOST_CONNECTIONS && (await readMetric(served.api, 'roundhouse_pool_waiting')) > 0;
    });
    await lock.unlock();
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
    await eventually('no other is open', async () => (await countConnections()) <= MOST_CONNECTIONS);
  });
});

describe('a fault of the server', () => {
  it('is reported in one plain sentence, is not kept, and affects nothing else', async () => {
    await served.database.query('ALTER TABLE blocks RENAME TO hidden');
    const { status, headers, body } = await getError(served.api.url, '/api/blocks?limit=2');
    expect([status, body]).toEqual([
      500,
      { success: false, error: 'The server failed to answer; the failure has been logged.' },
    ]);
    expect([headers.get('cache-control'), headers.get('api-version')]).toEqual(['no-store', '1']);
    expect((await getText(served.api.url, '/api/delegates/count')).status).toBe(200);
    await served.database.query('ALTER TABLE hidden RENAME TO blocks');
    expect((await getText(served.api.url, '/api/blocks?limit=2')).status).toBe(200);
  });

  it('makes a missing round an error, not an empty answer', async () => {
    await served.database.query('DELETE FROM rounds');
    expect((await getError(served.api.url, '/api/delegates/getNextForgers')).status).toBe(500);
  });
});
