import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import {
  EventClient,
  eventually,
  randomChain,
  startReplicatedPostgres,
  type ReplicatedPostgres,
} from '@roundhouse/testing';
import pg from 'pg';
import { DatabaseUnavailableError, patientPool, RowStreams } from '@roundhouse/readers';
import { answersOf, listFailed } from './support/answers-of.js';
import { asApiRole, startApi } from './support/api-under-test.js';
import { everyRequest } from './support/every-request.js';
import { GrowingIndex } from './support/growing-index.js';
import { readMetric } from './support/metrics.js';
import { getText } from './support/requests.js';

const BLOCKS = 160;

const STREAMED = { STREAM_FROM_VOTERS: '1' };

describe('an api on a streaming replica', () => {
  const { network, blocks } = randomChain({ seed: 5, blocks: BLOCKS + 60 });
  let servers: ReplicatedPostgres;
  let index: GrowingIndex;
  let roleUrl: string;
  let onPrimary: RunningApi;
  let onReplica: RunningApi;
  /** A superuser's session on the replica. */
  let replica: pg.Client;
  let applied = 0;

  const applyUpTo = async (height: number): Promise<void> => {
    await index.apply(blocks.slice(applied, height));
    applied = height;
  };

  beforeAll(async () => {
    servers = await startReplicatedPostgres();
    const { primaryUrl: url, replicaUrl } = servers;
    index = await GrowingIndex.create(network, { keepsHistory: true }, { url, drop: async () => undefined });
    await applyUpTo(BLOCKS);
    // Some counts are the planner's, by the size of a table: a primary's may end with empty pages, which a replica lacks.
    await index.query('VACUUM ANALYZE');
    const primaryRoleUrl = new URL(await asApiRole(url));
    primaryRoleUrl.port = new URL(replicaUrl).port;
    roleUrl = primaryRoleUrl.href;
    replica = new pg.Client({ connectionString: replicaUrl });
    await replica.connect();
    await eventually('the replica has the index', async () => (await heightIn(replica)) === BLOCKS);
    onPrimary = await startApi(url, STREAMED);
    onReplica = await startApi(url, { ...STREAMED, DATABASE_READ_URL: roleUrl });
  });

  afterAll(async () => {
    await onReplica.close();
    await onPrimary.close();
    await replica.end();
    await index.close();
    await servers.stop();
  });

  const heightIn = async (client: pg.Client): Promise<number | undefined> =>
    (await client.query<{ height: number }>('SELECT height FROM head')).rows[0]?.height;

  const getHeight = async ({ url }: RunningApi): Promise<number> =>
    (JSON.parse((await getText(url, '/api/blocks/getHeight')).text) as { height: number }).height;

  const untilShown = (api: RunningApi, height: number): Promise<number> =>
    eventually(`it shows the head ${height}`, async () => (await getHeight(api)) === height);

  const showsLag = async ({ operationsUrl }: RunningApi): Promise<boolean> =>
    /^roundhouse_replica_lag_seconds /m.test(await (await fetch(`${operationsUrl}/metrics`)).text());

  const untilLag = (fits: (seconds: number) => boolean): Promise<number> =>
    eventually('the lag is as expected', async () =>
      fits(await readMetric(onReplica, 'roundhouse_replica_lag_seconds')),
    );

  const ready = async (): Promise<unknown> => (await fetch(`${onReplica.operationsUrl}/health/ready`)).json();

  it('gives every answer of an api on the primary', async () => {
    const requests = await everyRequest(onPrimary.url);
    const expected = await answersOf(onPrimary.url, requests);
    expect(listFailed(expected)).toEqual([]);
    expect(await answersOf(onReplica.url, requests)).toEqual(expected);
  });

  it('stays at the head of a replica that stands still, shows how old that is, and then follows', async () => {
    const requests = ['/api/blocks?limit=2', '/api/delegates', '/status.json', '/api/v1/blocks?limit=2'];
    await eventually(
      'there is no lag',
      async () => JSON.stringify(await ready()) === '{"status":"ready","replicaLagSeconds":0}',
    );
    await untilLag((seconds) => seconds === 0);
    const before = await answersOf(onReplica.url, requests);
    const client = await EventClient.open(`${onReplica.url}/events`);
    const eventHeights = (): number[] =>
      client.events
        .filter(({ event }) => event === 'head')
        .map(({ data }) => (data as { height: number }).height);
    await eventually('it gets the head', async () => eventHeights().includes(BLOCKS));
    await replica.query('SELECT pg_wal_replay_pause()');
    await applyUpTo(applied + 3);
    await untilShown(onPrimary, applied);
    await untilLag((seconds) => seconds > 1);
    await eventually('it is ready', async () => ((await ready()) as { status: string }).status === 'ready');
    expect(await ready()).toHaveProperty('replicaLagSeconds', expect.any(Number));
    expect(await answersOf(onReplica.url, requests)).toEqual(before);
    expect(Math.max(...eventHeights())).toBe(BLOCKS);
    // The changes that it lets through may cancel this very statement.
    await replica.query('SELECT pg_wal_replay_resume()').catch(({ code }: pg.DatabaseError) => {
      expect(code).toBe('40001');
    });
    await untilShown(onReplica, applied);
    await eventually('it gets the events', async () => eventHeights().includes(applied));
    await untilLag((seconds) => seconds === 0);
    client.close();
  });

  it('has no lag to show on a primary', async () => {
    expect([await showsLag(onReplica), await showsLag(onPrimary)]).toEqual([true, false]);
  });

  it('never mixes two heads or goes back while blocks are applied', async () => {
    const problems: string[] = [];
    const heads = new Set<number>();
    let isGrowing = true;
    const client = async (): Promise<void> => {
      let newest = 0;
      for (let turn = 0; isGrowing; turn += 1) {
        const { status, headers, text } = await getText(
          onReplica.url,
          `/api/blocks?limit=${1 + (turn % 50)}`,
        );
        const height = Number(headers.get('x-chain-height'));
        if (status !== 200) problems.push(`${status} ${text}`);
        else if (!text.startsWith(`{"blocks":[{"id":"${blocks[height - 1]!.id}"`))
          problems.push(`mixed ${height}`);
        if (height < newest) problems.push(`${height} after ${newest}`);
        newest = height;
        heads.add(height);
      }
    };
    const clients = [client(), client(), client()];
    while (applied < blocks.length) {
      await applyUpTo(applied + 1);
      await wait(30);
    }
    await untilShown(onReplica, applied);
    isGrowing = false;
    await Promise.all(clients);
    expect(problems).toEqual([]);
    expect(heads.size).toBeGreaterThan(3);
  });

  describe('when replay cancels a reading', () => {
    /** Waits, with the table in use, until `release`. */
    const gated = 'pg_advisory_lock_shared(1)';
    const hold = async (): Promise<unknown> => replica.query('SELECT pg_advisory_lock(1)');
    const release = async (): Promise<unknown> => replica.query('SELECT pg_advisory_unlock(1)');

    const countOf = async (sql: string): Promise<number> =>
      (await replica.query<{ count: number }>(sql)).rows[0]!.count;
    const cancelled = (): Promise<number> =>
      countOf('SELECT sum(confl_lock)::int AS count FROM pg_stat_database_conflicts');
    const waiting = (): Promise<number> =>
      countOf("SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event = 'advisory'");

    /** Replays a lock of the table that the one reading uses. */
    const cancelReading = async (): Promise<void> => {
      await eventually('a reading waits', async () => (await waiting()) === 1);
      const before = await cancelled();
      await index.query('BEGIN; LOCK TABLE head; COMMIT');
      await eventually('it is cancelled', async () => (await cancelled()) > before);
    };

    beforeEach(hold);

    it('asks once more', async () => {
      const pool = new pg.Pool({ connectionString: roleUrl });
      const slow = { name: 'slow', text: `SELECT height, ${gated}::text FROM head` };
      try {
        const once = pool.query(slow).catch((error: unknown) => error);
        await cancelReading();
        expect(await once).toMatchObject({ code: '40001' });
        const asked = patientPool(pool, false).query(slow);
        await cancelReading();
        await release();
        expect((await asked).rows).toMatchObject([{ height: applied }]);
      } finally {
        await pool.end();
      }
    });

    it('tells the client of a list to try again', async () => {
      const streams = new RowStreams({
        url: roleUrl,
        poolSize: 1,
        applicationName: 'streams',
        onPoolError: () => undefined,
      });
      try {
        const list = { name: 'slow', text: `SELECT '{}' FROM head, ${gated}` };
        const first = streams
          .read(blocks[applied - 1]!, list, [])
          .next()
          .catch((error: unknown) => error);
        await cancelReading();
        await release();
        expect(await first).toBeInstanceOf(DatabaseUnavailableError);
        const again = streams.read(blocks[applied - 1]!, list, []);
        expect(String((await again.next()).value)).toBe('{}');
        await again.return();
      } finally {
        await streams.close();
      }
    });
  });

  // The last one: the servers part.
  it('goes on when the replica becomes the primary, and has no lag then', async () => {
    await replica.query('SELECT pg_promote()');
    await eventually('there is no lag to show', async () => !(await showsLag(onReplica)));
    await eventually('it is ready', async () => JSON.stringify(await ready()) === '{"status":"ready"}');
    expect(await getHeight(onReplica)).toBe(applied);
  });
});
