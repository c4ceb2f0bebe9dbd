import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, TcpProxy } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { readMetric } from './support/metrics.js';
import { plainRequest, type PlainAnswer } from './support/plain-request.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

/** Below the size of the pool: each request gets a connection and waits up to the time limit of a query. */
const MOST = 8;

describe('a slow database', () => {
  let served: ServedChain | undefined;
  afterEach(() => served?.stop());

  /** Each request is different, so that none can share another's answer. */
  const askMany = (url: string, count: number, from = 0): Promise<PlainAnswer>[] =>
    Array.from({ length: count }, (_, index) =>
      plainRequest(`${url}/api/blocks?limit=1&offset=${from + index}`),
    );

  const countOf = (answers: readonly PlainAnswer[], status: number): number =>
    answers.filter((answer) => answer.status === status).length;

  it('lets MAX_WAITING_REQUESTS requests wait, refuses the others at once, and still sends ready answers', async () => {
    served = await serveChain({ settings: { MAX_WAITING_REQUESTS: String(MOST) } });
    const { api, database } = served;
    const ready = `${api.url}/api/delegates/count`;
    await plainRequest(ready);
    // Opens the connections.
    await Promise.all(askMany(api.url, MOST, 500));
    const lock = database.createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE blocks');
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
    const more: Promise<PlainAnswer>[] = [];
    await eventually('readiness says so', async () => {
      more.push(...askMany(api.url, 2 * MOST, 100));
      const { status, bytes } = await plainRequest(`${api.operationsUrl}/health/ready`);
      return status === 503 && bytes.includes('8 requests wait for the database, which is the limit.');
    });
    await lock.commitTransaction();
    await lock.release();
    // On a busy machine some have timed out by now.
    const answers = await Promise.all([...waiting, ...more]);
    expect(countOf(answers, 200) + countOf(answers, 503)).toBe(answers.length);
    expect(await readMetric(api, 'roundhouse_requests_waiting')).toBe(0);
    await eventually(
      'requests may come here again',
      async () => (await plainRequest(`${api.operationsUrl}/health/ready`)).status === 200,
    );
    expect((await plainRequest(`${api.url}/api/blocks?limit=1&offset=0`)).status).toBe(200);
  });

  it('that does not answer keeps no request waiting for long; the api serves again when it answers', async () => {
    served = await serveChain();
    const proxy = await TcpProxy.before(served.databaseUrl);
    const api = await startApi(proxy.url, { MAX_WAITING_REQUESTS: String(MOST) });
    try {
      proxy.freeze();
      const startedAt = performance.now();
      const answers = await Promise.all(askMany(api.url, 130));
      expect(countOf(answers, 503)).toBe(answers.length);
      expect(await readMetric(api, 'roundhouse_requests_refused_total')).toBeGreaterThan(0);
      // A query times out after 5 s, and no request waits for more than one.
      expect(performance.now() - startedAt).toBeLessThan(15_000);
      await proxy.restore();
      await eventually(
        'it answers again',
        async () => (await plainRequest(`${api.url}/api/blocks?limit=1`)).status === 200,
      );
    } finally {
      await api.close();
      await proxy.close();
    }
  });
});
