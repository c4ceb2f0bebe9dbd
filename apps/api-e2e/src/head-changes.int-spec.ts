import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bytesOf } from '@roundhouse/entities/tables';
import { eventually } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { blockId, HEAD_HEIGHT } from './support/hand-made-chain.js';
import { moveHead } from './support/move-head.js';
import { getText, getTextOnce } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

interface Height {
  readonly height: number;
  readonly id: string;
}

describe('a head that moves', () => {
  let served: ServedChain;
  beforeEach(async () => {
    served = await serveChain();
  });
  afterEach(() => served.stop());

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

  /** Like a backup of a minute ago, or a replica that lags by a minute. */
  const putBack = (): Promise<unknown> =>
    served.database.query(
      `UPDATE head SET height = $1, block_id = $2, revision = revision - 1, indexed_at = indexed_at - interval '1 minute'`,
      [HEAD_HEIGHT, bytesOf('block id', blockId(HEAD_HEIGHT))],
    );

  const shows = (expected: Height) => async (): Promise<boolean> => {
    const answers = [await getHeight(), await newestListed()];
    return answers.every(({ height, id }) => height === expected.height && id === expected.id);
  };

  /** The head is polled every 400 ms; the rest of the limit is for a busy machine. */
  const untilItShows = (expected: Height): Promise<number> =>
    eventually(`it shows the head ${expected.height}`, shows(expected));

  it.each([
    ['with a notification', true],
    ['without a notification', false],
  ])('is followed %s', async (_, isNotified) => {
    const next = { height: HEAD_HEIGHT + 1, id: blockId(HEAD_HEIGHT + 1) };
    await moveHead(served.database, next.height, next.id, isNotified);
    await untilItShows(next);
    const { headers } = await getText(served.api.url, '/api/blocks');
    const [head] = await served.database.query<{ indexed_at: Date }[]>('SELECT indexed_at FROM head');
    expect([headers.get('x-chain-height'), headers.get('x-indexed-at')]).toEqual([
      String(next.height),
      head!.indexed_at.toISOString(),
    ]);
  });

  it('is followed to another branch: the same height under another id', async () => {
    await newestListed();
    const other = { height: HEAD_HEIGHT, id: '77' };
    await moveHead(served.database, other.height, other.id, true);
    await untilItShows(other);
  });

  it('is followed down when blocks are undone', async () => {
    await newestListed();
    const lower = { height: HEAD_HEIGHT - 3, id: '88' };
    await served.database.query('DELETE FROM blocks WHERE height > $1', [lower.height]);
    await moveHead(served.database, lower.height, lower.id, true);
    await untilItShows(lower);
  });

  it('is followed after the listening connection was cut off', async () => {
    await served.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'roundhouse-api-head'`,
    );
    const next = { height: HEAD_HEIGHT + 1, id: blockId(HEAD_HEIGHT + 1) };
    await moveHead(served.database, next.height, next.id, true);
    await untilItShows(next);
  });

  it('is followed if the clock of the database went back', async () => {
    await newestListed();
    const next = { height: HEAD_HEIGHT + 1, id: blockId(HEAD_HEIGHT + 1) };
    await moveHead(served.database, next.height, next.id, false, "now() - interval '1 hour'");
    await untilItShows(next);
  });

  it('is followed back if a backup was restored', async () => {
    const next = { height: HEAD_HEIGHT + 1, id: blockId(HEAD_HEIGHT + 1) };
    await moveHead(served.database, next.height, next.id, true);
    await untilItShows(next);
    await putBack();
    await untilItShows({ height: HEAD_HEIGHT, id: blockId(HEAD_HEIGHT) });
  });

  it('is not followed back on a replica, which lags', async () => {
    // The api finds this function before PostgreSQL's own, so the server claims to be a replica.
    await served.database.query(
      "CREATE FUNCTION public.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true'",
    );
    const replica = new URL(served.databaseUrl);
    replica.searchParams.set('options', '-c search_path=public,pg_catalog');
    const api = await startApi(served.databaseUrl, { DATABASE_READ_URL: replica.toString() });
    try {
      const next = { height: HEAD_HEIGHT + 1, id: blockId(HEAD_HEIGHT + 1) };
      const read = (): ReturnType<typeof getTextOnce> => getTextOnce(api.url, '/api/blocks/getHeight');
      await moveHead(served.database, next.height, next.id, true);
      await eventually('it shows the new head', async () => (await read()).text.includes(next.id));
      await putBack();
      const seen = new Set<string>();
      await eventually('it stops answering', async () => {
        const { status, text, headers } = await read();
        if (status === 200) seen.add(`${headers.get('x-chain-height')} ${text}`);
        return status === 503;
      });
      const right = `131 {"height":131,"id":"${next.id}","success":true}`;
      expect([...seen].filter((text) => text !== right)).toEqual([]);
    } finally {
      await api.close();
    }
  });

  it('is followed through a reset: nothing at all, then a chain that starts again', async () => {
    await newestListed();
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

  it('changes what loader answers when only the node moves', async () => {
    const blocksCount = async (): Promise<number> =>
      (await get<{ blocksCount: number }>('/api/loader/status')).blocksCount;
    const before = await get('/api/blocks?limit=1');
    expect(await blocksCount()).toBe(0);
    await served.database.query('UPDATE source_status SET height = height + 5');
    await eventually('the node is ahead', async () => (await blocksCount()) === 5);
    expect(await get('/api/blocks?limit=1')).toEqual(before);
  });

  it('never yields an answer that mixes two heads or is older than one before, while it moves under load', async () => {
    let isMoving = true;
    const problems: string[] = [];
    const client = async (): Promise<void> => {
      let newest = 0;
      for (let turn = 0; isMoving; turn += 1) {
        const path = `/api/blocks?limit=${1 + (turn % 100)}`;
        const { status, text, headers } = await getText(served.api.url, path);
        if (status !== 200) {
          problems.push(`${status} ${text}`);
          continue;
        }
        const { blocks } = JSON.parse(text) as { blocks: (Height & { confirmations: number })[] };
        const height = Number(headers.get('x-chain-height'));
        if (blocks[0]!.height !== height || blocks[0]!.confirmations !== 0)
          problems.push(`mixed at ${height}`);
        if (height < newest) problems.push(`${height} after ${newest}`);
        newest = height;
      }
    };
    const clients = [client(), client(), client(), client()];
    for (let height = HEAD_HEIGHT + 1; height <= HEAD_HEIGHT + 60; height += 1) {
      await moveHead(served.database, height, blockId(height), height % 2 === 0);
    }
    isMoving = false;
    await Promise.all(clients);
    expect(problems).toEqual([]);
    await untilItShows({ height: HEAD_HEIGHT + 60, id: blockId(HEAD_HEIGHT + 60) });
  });
});
