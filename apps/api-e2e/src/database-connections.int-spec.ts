import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@roundhouse/testing';
import { readMetric } from './support/metrics.js';
import { plainRequest } from './support/plain-request.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

/** Ten for answers, and one that watches the head. */
const MOST = 11;

describe('the connections of an api to its database', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

  const countConnections = async (): Promise<number> => {
    const rows = await served.database.query<unknown[]>(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'roundhouse-api%'`,
    );
    return rows.length;
  };

  it('are eleven at most, however many requests wait for a slow database', async () => {
    const lock = served.database.createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE blocks');
    // Few enough that all arrive before the first stops waiting for a connection.
    const asked = Array.from({ length: 20 }, (_, n) =>
      plainRequest(`${served.api.url}/api/blocks?limit=1&offset=${n}`),
    );
    await eventually(
      'all the others wait',
      async () => (await readMetric(served.api, 'roundhouse_pool_waiting')) === asked.length - (MOST - 1),
      10_000,
    );
    // The pool counts a connection before PostgreSQL does.
    await eventually('all are open', async () => (await countConnections()) >= MOST, 10_000);
    expect(await countConnections()).toBe(MOST);
    await lock.commitTransaction();
    await lock.release();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    // On a busy machine some have timed out by now; they are told to try again.
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(200);
    expect(await countConnections()).toBeLessThanOrEqual(MOST);
  });
});
