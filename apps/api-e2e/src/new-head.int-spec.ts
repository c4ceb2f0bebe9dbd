import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bytesOf } from '@roundhouse/entities/tables';
import { eventually, untilServed } from '@roundhouse/testing';
import { readMetric } from './support/metrics.js';
import { blockId, HEAD_HEIGHT, publicKey } from './support/hand-made-chain.js';
import { moveHead } from './support/move-head.js';
import { plainRequest } from './support/plain-request.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const NEXT = HEAD_HEIGHT + 1;

const POPULAR = ['/api/blocks', '/api/delegates', `/api/delegates/voters?publicKey=${publicKey(1)}`];

describe('a new head', () => {
  let served: ServedChain;
  beforeEach(async () => {
    served = await serveChain();
  });
  afterEach(() => served.stop());

  const timesMade = (): Promise<number> => readMetric(served.api, 'roundhouse_answers_made_total');
  const timesReady = (): Promise<number> => readMetric(served.api, 'roundhouse_answers_ready_total');

  const heightOf = async (path: string, acceptEncoding = 'identity'): Promise<number> => {
    const { status, headers } = await untilServed(() =>
      plainRequest(served.api.url + path, { 'Accept-Encoding': acceptEncoding }),
    );
    expect(status).toBe(200);
    return Number(headers['x-chain-height']);
  };

  it('makes one answer for each key, however many ask while the head moves', async () => {
    for (const path of POPULAR) for (let turn = 0; turn < 5; turn += 1) await heightOf(path);
    const before = await timesMade();
    const clients = Array.from({ length: 40 }, async (_, n) => {
      const path = POPULAR[n % POPULAR.length]!;
      // Each client asks until it has seen the new head twice.
      for (let seen = 0; seen < 2;) {
        if ((await heightOf(path, ['br', 'gzip', 'identity'][n % 3])) === NEXT) seen += 1;
      }
    });
    await moveHead(served.database, NEXT, blockId(NEXT), true);
    await Promise.all(clients);
    expect(await timesMade()).toBe(before + POPULAR.length);
  });

  it('makes the most requested answers again before anybody asks', async () => {
    for (const path of POPULAR) for (let turn = 0; turn < 3; turn += 1) await heightOf(path, 'br');
    await heightOf('/api/blocks?limit=3');
    const before = await timesMade();
    await moveHead(served.database, NEXT, blockId(NEXT), true);
    await eventually(
      'the popular answers are renewed',
      async () => (await readMetric(served.api, 'roundhouse_answers_renewed_total')) === POPULAR.length,
    );
    const ready = await timesReady();
    for (const path of POPULAR) expect(await heightOf(path, 'br')).toBe(NEXT);
    expect([await timesMade(), await timesReady()]).toEqual([
      before + POPULAR.length,
      ready + POPULAR.length,
    ]);
  });

  it('leaves connections for others while answers are made again', async () => {
    for (let limit = 1; limit <= 60; limit += 1) {
      for (let turn = 0; turn < 2; turn += 1) await heightOf(`/api/blocks?limit=${limit}`);
    }
    const lock = served.database.createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE blocks');
    await served.database.query('UPDATE head SET height = height - 1, block_id = $1, indexed_at = now()', [
      bytesOf('block id', blockId(HEAD_HEIGHT - 1)),
    ]);
    await eventually('three wait for the database', async () => {
      const waiting = await served.database.query<unknown[]>(
        `SELECT 1 FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND datname = current_database() AND application_name = 'roundhouse-api'`,
      );
      return waiting.length === 3;
    });
    expect(await heightOf('/api/delegates')).toBe(HEAD_HEIGHT - 1);
    expect(await readMetric(served.api, 'roundhouse_pool_waiting')).toBe(0);
    await lock.commitTransaction();
    await lock.release();
  });
});
