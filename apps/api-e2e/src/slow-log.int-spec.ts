import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@roundhouse/testing';
import { startApiProcess, type ApiProcess } from './support/api-process.js';
import { blockId, HEAD_HEIGHT, publicKey } from './support/hand-made-chain.js';
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

  /** Runs the api, sends it requests while its tables are locked, and returns its warnings. */
  const warningsOf = async (
    environment: Record<string, string>,
    ask: (api: ApiProcess) => Promise<unknown>,
  ): Promise<readonly Warning[]> => {
    const api = await startApiProcess({ DATABASE_URL: served.databaseUrl, ...environment });
    // The first query of a session takes longer, which does not count here.
    await getText(api.url, '/api/blocks');
    const lock = served.database.createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE blocks, delegates');
    const asked = ask(api);
    await eventually('the query waits', async () => {
      const rows = await served.database.query<unknown[]>(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      );
      return rows.length > 0;
    });
    // The request must take this long.
    await wait(2 * SLOW_MS);
    await lock.commitTransaction();
    await lock.release();
    await asked;
    api.kill('SIGTERM');
    await api.ended;
    return api.lines.filter(({ level }) => level === 40) as readonly Warning[];
  };

  it('is logged once as a query and once as a request, with its parameters', async () => {
    const all = await warningsOf(
      { SLOW_REQUEST_MS: String(SLOW_MS), SLOW_QUERY_MS: String(SLOW_MS) },
      (api) => getText(api.url, '/api/blocks?limit=5&offset=3&broken=%C3%A4', { 'X-Request-Id': 'mine' }),
    );
    // On a busy machine, the first request is slow too.
    const warnings = all.filter(
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
    for (const warning of warnings) {
      expect(warning.durationMs).toBeGreaterThanOrEqual(SLOW_MS);
    }
  });

  it('is not logged if 0 turns the log off', async () => {
    const path = `/api/delegates/get?publicKey=${publicKey(2)}`;
    const ask = (api: ApiProcess) => getText(api.url, path);
    const settings = { SLOW_REQUEST_MS: '0', SLOW_QUERY_MS: '0' };
    expect(await warningsOf(settings, ask)).toEqual([]);
  });

  it('is not logged below the limits', async () => {
    const settings = { SLOW_REQUEST_MS: '60000', SLOW_QUERY_MS: '60000' };
    expect(await warningsOf(settings, (api) => getText(api.url, '/api/blocks?limit=8'))).toEqual([]);
  });
});
