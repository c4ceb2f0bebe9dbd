import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { createTestDatabase, eventually, TcpProxy, type TestDatabase } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { getTextOnce } from './support/requests.js';
import { openDatabase, seedChain } from './support/seed.js';

describe('a database out of reach', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let api: RunningApi;

  beforeEach(async () => {
    database = await createTestDatabase();
    const connection = await openDatabase(database.url);
    await seedChain(connection);
    await connection.destroy();
    proxy = await TcpProxy.before(database.url);
    api = await startApi(proxy.url);
  });

  afterEach(async () => {
    await api.close();
    await proxy.close();
    await database.drop();
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

  it('malformed and unknown requests are answered as usual', async () => {
    await proxy.cut();
    await eventually('it stops serving', async () => (await statusOf('/api/blocks')) === 503);
    expect(await statusOf('/api/blocks?limit=x')).toBe(400);
    expect(await statusOf('/api/nothing')).toBe(404);
    expect(await statusOf('/docs/json')).toBe(200);
  });

  it('shows in readiness, not in liveness', async () => {
    const ready = (): Promise<Response> => fetch(`${api.operationsUrl}/health/ready`);
    await eventually('it is ready at first', async () => (await ready()).status === 200);
    await proxy.cut();
    await eventually('it is unready', async () => (await ready()).status === 503);
    expect((await fetch(`${api.operationsUrl}/health/live`)).status).toBe(200);
    await proxy.restore();
    await eventually('it is ready', async () => (await ready()).status === 200);
  });
});
