import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, untilServed } from '@roundhouse/testing';
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
    // One that waited too long for a connection is told to try again.
    const asked = Array.from({ length: 20 }, (_, n) =>
      untilServed(() => plainRequest(`${served.api.url}/api/blocks?limit=1&offset=${n}`)),
    );
    await eventually('all are open, and requests wait', async () => {
      const [open, waiting] = [
        await countConnections(),
        await readMetric(served.api, 'roundhouse_pool_waiting'),
      ];
      expect(await readMetric(served.api, 'roundhouse_pool_connections')).toBeLessThan(MOST);
      return open === MOST && waiting > 0;
    });
    await lock.commitTransaction();
    await lock.release();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    await eventually('no other is open', async () => (await countConnections()) <= MOST);
  });
});
