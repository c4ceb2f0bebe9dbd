import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { bytesOf } from '@roundhouse/entities/tables';
import { eventually, untilServed } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { blockId, HEAD_HEIGHT, publicKey } from './support/hand-made-chain.js';
import { lockBlocks } from './support/locked-blocks.js';
import { readMetric } from './support/metrics.js';
import { moveHead } from './support/move-head.js';
import { plainRequest } from './support/plain-request.js';
import { getText, getTextOnce } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

interface Height {
  readonly height: number;
  readonly id: string;
}

let served: ServedChain;
/** Where the tests before have moved it. */
let head: Height = { height: HEAD_HEIGHT, id: blockId(HEAD_HEIGHT) };
beforeAll(async () => {
  served = await serveChain();
});
afterAll(() => served.stop());

const moveTo = async ({ height, id }: Height, isNotified = true, indexedAt?: string): Promise<void> => {
  await moveHead(served.database, height, id, isNotified, indexedAt);
  head = { height, id };
};

const next = (): Height => ({ height: head.height + 1, id: blockId(head.height + 1) });

/** Back to this head, like a backup of a minute ago, or a replica that lags by a minute. */
const putBack = async ({ height, id }: Height): Promise<void> => {
  await served.database.query(
    `UPDATE head SET height = $1, block_id = $2, revision = revision - 1, indexed_at = indexed_at - interval '1 minute'`,
    [height, bytesOf('block id', id)],
  );
  head = { height, id };
};

const POPULAR = ['/api/blocks', '/api/delegates', `/api/delegates/voters?publicKey=${publicKey(1)}`];

describe('a new head', () => {
  let api: RunningApi;
  beforeEach(async () => {
    api = await startApi(served.databaseUrl);
  });
  afterEach(() => api.close());

  const timesMade = (): Promise<number> => readMetric(api, 'roundhouse_answers_made_total');
  const timesReady = (): Promise<number> => readMetric(api, 'roundhouse_answers_ready_total');

  const heightOf = async (path: string, acceptEncoding = 'identity'): Promise<number> => {
    const { status, headers } = await untilServed(() =>
      plainRequest(api.url + path, { 'Accept-Encoding': acceptEncoding }),
    );
    expect(status).toBe(200);
    return Number(headers['x-chain-height']);
  };

  it('makes one answer for each key, however many ask while the head moves', async () => {
    for (const path of POPULAR) for (let turn = 0; turn < 5; turn += 1) await heightOf(path);
    const before = await timesMade();
    const expected = next().height;
    const clients = Array.from({ length: 40 }, async (_, n) => {
      const path = POPULAR[n % POPULAR.length]!;
      // Each client asks until it has seen the new head twice.
      for (let seen = 0; seen < 2;) {
        if ((await heightOf(path, ['br', 'gzip', 'identity'][n % 3])) === expected) seen += 1;
      }
    });
    await moveTo(next());
    await Promise.all(clients);
    expect(await timesMade()).toBe(before + POPULAR.length);
  });

  it('makes the most requested answers again before anybody asks', async () => {
    for (const path of POPULAR) for (let turn = 0; turn < 3; turn += 1) await heightOf(path, 'br');
    await heightOf('/api/blocks?limit=3');
    const before = await timesMade();
    await moveTo(next());
    await eventually(
      'the popular answers are renewed',
      async () => (await readMetric(api, 'roundhouse_answers_renewed_total')) === POPULAR.length,
    );
    const ready = await timesReady();
    for (const path of POPULAR) expect(await heightOf(path, 'br')).toBe(head.height);
    expect([await timesMade(), await timesReady()]).toEqual([
      before + POPULAR.length,
      ready + POPULAR.length,
    ]);
  });

  it('leaves connections for others while answers are made again', async () => {
    for (let limit = 1; limit <= 60; limit += 1) {
      for (let turn = 0; turn < 2; turn += 1) await heightOf(`/api/blocks?limit=${limit}`);
    }
    const lock = await lockBlocks(served.database);
    await putBack({ height: head.height - 1, id: blockId(head.height - 1) });
    await lock.untilWaiting(3);
    expect(await heightOf('/api/delegates')).toBe(head.height);
    expect(await readMetric(api, 'roundhouse_pool_waiting')).toBe(0);
    await lock.unlock();
  });
});

describe('a head that moves', () => {
  const get = async <T>(path: string): Promise<T> =>
    JSON.parse((await getText(served.api.url, path)).text) as T;

  const getHeight = async (): Promise<Height> => {
    const { height, id } = await get<Height>('/api/blocks/getHeight');
    return { height, id };
  };

  const newestListed = async (): Promise<Height> => {
    const { blocks } = await get<{ blocks: Height[] }>('/api/blocks?limit=1');
    return { height: blocks[0]!.height, id: blocks[0]!.id };
  };

  /** The head is polled every 400 ms; the rest of the limit is for a busy machine. */
  const untilItIsShown = (): Promise<number> =>
    eventually(`the head ${head.height} is shown`, async () => {
      const answers = [await getHeight(), await newestListed()];
      return answers.every(({ height, id }) => height === head.height && id === head.id);
    });

  beforeEach(() => untilItIsShown());

  it.each([
    ['with a notification', true],
    ['without a notification', false],
  ])('is followed %s', async (_, isNotified) => {
    await moveTo(next(), isNotified);
    await untilItIsShown();
    const { headers } = await getText(served.api.url, '/api/blocks');
    const [row] = await served.database.query<{ indexed_at: Date }[]>('SELECT indexed_at FROM head');
    expect([headers.get('x-chain-height'), headers.get('x-indexed-at')]).toEqual([
      String(head.height),
      row!.indexed_at.toISOString(),
    ]);
  });

  it('is followed to another branch: the same height under another id', async () => {
    await moveTo({ height: head.height, id: '77' });
    await untilItIsShown();
  });

  it('is followed down when blocks are undone', async () => {
    const lower = { height: head.height - 3, id: '88' };
    await served.database.query('DELETE FROM blocks WHERE height > $1', [lower.height]);
    await moveTo(lower);
    await untilItIsShown();
  });

  it('is followed after the listening connection was cut off', async () => {
    await served.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'roundhouse-api-head'`,
    );
    await moveTo(next());
    await untilItIsShown();
  });

  it('is followed if the clock of the database went back', async () => {
    await moveTo(next(), false, "now() - interval '1 hour'");
    await untilItIsShown();
  });

  it('is followed back if a backup was restored', async () => {
    const before = head;
    await moveTo(next());
    await untilItIsShown();
    await putBack(before);
    await untilItIsShown();
  });

  it('is not followed back on a replica, which lags', async () => {
    // The api finds this function before PostgreSQL's own, so the server claims to be a replica.
    await served.database.query(
      "CREATE FUNCTION roundhouse.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true'",
    );
    const replica = new URL(served.databaseUrl);
    replica.searchParams.set('options', '-c search_path=roundhouse,pg_catalog');
    const api = await startApi(served.databaseUrl, { DATABASE_READ_URL: replica.toString() });
    try {
      const [before, { height, id }] = [head, next()];
      const read = (): ReturnType<typeof getTextOnce> => getTextOnce(api.url, '/api/blocks/getHeight');
      await moveTo({ height, id });
      await eventually('it shows the new head', async () => (await read()).text.includes(id));
      await putBack(before);
      const seen = new Set<string>();
      await eventually('it stops answering', async () => {
        const { status, text, headers } = await read();
        if (status === 200) seen.add(`${headers.get('x-chain-height')} ${text}`);
        return status === 503;
      });
      const right = `${height} {"height":${height},"id":"${id}","success":true}`;
      expect([...seen].filter((text) => text !== right)).toEqual([]);
    } finally {
      await api.close();
    }
  });

  it('changes what loader answers when only the node moves', async () => {
    const blocksCount = async (): Promise<number> =>
      (await get<{ blocksCount: number }>('/api/loader/status')).blocksCount;
    const before = await get('/api/blocks?limit=1');
    const missing = await blocksCount();
    await served.database.query('UPDATE source_status SET height = height + 5');
    await eventually('the node is ahead', async () => (await blocksCount()) === missing + 5);
    expect(await get('/api/blocks?limit=1')).toEqual(before);
  });

  it('is followed through a reset: nothing at all, then a chain that starts again', async () => {
    await served.database.query('TRUNCATE head, blocks, source_status');
    await eventually(
      'there are no blocks',
      async () => (await getText(served.api.url, '/api/blocks')).status === 503,
    );
    expect(await get('/api/loader/status')).toEqual({ loaded: false, now: 0, blocksCount: 0, success: true });
    for (const path of ['/api/loader/status', '/api/blocks']) {
      const { headers } = await getText(served.api.url, path);
      expect([headers.get('x-chain-height'), headers.get('x-indexed-at')]).toEqual([null, null]);
    }
    await served.database.query(
      "INSERT INTO head (height, block_id, timestamp, supply, delegate_count) VALUES (1, '\\x0000000000000005', 0, 1, 0)",
    );
    await eventually(
      'there are blocks',
      async () => (await getText(served.api.url, '/api/blocks')).status === 200,
    );
    expect(await getHeight()).toEqual({ height: 1, id: '5' });
  });
});
