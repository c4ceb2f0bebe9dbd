import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { startLoggedApi } from './support/api-under-test.js';
import { blockId, HEAD_HEIGHT } from './support/hand-made-chain.js';
import { lockBlocks } from './support/locked-blocks.js';
import { getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const SLOW_MS = 100;

interface Warning {
  readonly requestId?: string;
  readonly values?: readonly unknown[];
  readonly durationMs?: number;
}

describe('a slow request', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

  it('is logged once as a query and once as a request, with its parameters; not below the limits, and not if they are 0', async () => {
    const start = (ms: number) =>
      startLoggedApi(served.databaseUrl, { SLOW_REQUEST_MS: String(ms), SLOW_QUERY_MS: String(ms) });
    const apis = [await start(SLOW_MS), await start(60_000), await start(0)];
    // The first query of a session takes longer, which does not count here.
    for (const { url } of apis) await getText(url, '/api/blocks');
    const lock = await lockBlocks(served.database);
    const path = '/api/blocks?limit=5&offset=3&broken=%C3%A4';
    const asked = apis.map(({ url }) => getText(url, path, { 'X-Request-Id': 'mine' }));
    await lock.untilWaiting(apis.length);
    // The request must take this long.
    await wait(2 * SLOW_MS);
    await lock.unlock();
    await Promise.all(asked);
    await Promise.all(apis.map((api) => api.close()));

    const slow = apis.map(({ lines }) => lines.filter(({ msg }) => /^a slow /.test(String(msg))));
    const [strict, ...others] = slow as readonly Warning[][];
    expect(others).toEqual([[], []]);
    // On a busy machine, the first request is slow too.
    const warnings = strict!.filter(
      ({ requestId, values }) => requestId === 'mine' || values?.[2] === HEAD_HEIGHT - 7,
    );
    const durationMs: unknown = expect.any(Number);
    expect(warnings).toMatchObject([
      {
        msg: 'a slow query',
        query: 'blocks',
        values: [
          HEAD_HEIGHT,
          `\\x${BigInt(blockId(HEAD_HEIGHT)).toString(16)}`,
          HEAD_HEIGHT - 7,
          HEAD_HEIGHT - 3,
        ],
        durationMs,
      },
      {
        msg: 'a slow request',
        route: '/api/blocks',
        parameters: { offset: 3, limit: 5 },
        status: 200,
        requestId: 'mine',
        durationMs,
      },
    ]);
    for (const warning of warnings) expect(warning.durationMs).toBeGreaterThanOrEqual(SLOW_MS);
  });
});
