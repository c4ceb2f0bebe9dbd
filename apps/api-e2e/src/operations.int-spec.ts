import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, eventually } from '@roundhouse/testing';
import { startApi, startApiAt } from './support/api-under-test.js';
import { getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

describe('the internal port', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain({ settings: { READY_MAX_LAG: '10' } });
  });
  afterAll(() => served.stop());

  const ready = async (): Promise<[number, unknown]> => {
    const response = await fetch(`${served.api.operationsUrl}/health/ready`);
    return [response.status, await response.json()];
  };

  const untilReady = (): Promise<number> =>
    eventually('it is ready', async () => JSON.stringify(await ready()) === '[200,{"status":"ready"}]');

  it('counts requests by route and status, whatever their parameters', async () => {
    await getText(served.api.url, '/api/blocks?limit=1');
    await getText(served.api.url, '/API/blocks?limit=1');
    await getText(served.api.url, '/api/blocks?limit=x');
    await getText(served.api.url, '/nothing');
    const { text } = await getText(served.api.operationsUrl, '/metrics');
    expect(text).toContain('roundhouse_http_request_seconds_count{route="/api/blocks",status="200"} 2');
    expect(text).toContain('roundhouse_http_request_seconds_count{route="/api/blocks",status="400"} 1');
    expect(text).toContain('roundhouse_http_request_seconds_count{route="none",status="404"} 1');
    expect(text).toContain('roundhouse_head_height 130');
    expect(text).toContain('roundhouse_source_height 130');
    expect(text).toMatch(/roundhouse_cache_bytes [1-9]/);
  });

  it('reports how many answers were ready and made, and how busy the pool is', async () => {
    const read = async (name: string): Promise<number> => {
      const { text } = await getText(served.api.operationsUrl, '/metrics');
      return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)![1]);
    };
    const [ready, made] = [
      await read('roundhouse_answers_ready_total'),
      await read('roundhouse_answers_made_total'),
    ];
    for (const limit of [31, 31, 31, 32]) await getText(served.api.url, `/api/blocks?limit=${limit}`);
    expect(await read('roundhouse_answers_made_total')).toBe(made + 2);
    expect(await read('roundhouse_answers_ready_total')).toBe(ready + 2);
    expect(await read('roundhouse_pool_max')).toBe(10);
    expect(await read('roundhouse_pool_waiting')).toBe(0);
    expect(await read('roundhouse_pool_connections')).toBeGreaterThan(0);
    await eventually('the head is confirmed', async () => (await read('roundhouse_head_confirmed')) === 1);
    expect(await read('roundhouse_head_indexed_timestamp_seconds')).toBeLessThanOrEqual(Date.now() / 1_000);
  });

  it('is ready within READY_MAX_LAG of the node, and again when it has caught up', async () => {
    await untilReady();
    await served.database.query('UPDATE source_status SET height = 141');
    await eventually('it is unready', async () => (await ready())[0] === 503);
    expect((await ready())[1]).toEqual({
      status: 'not ready',
      reason: expect.stringMatching(/11 blocks behind/),
    });
    await served.database.query('UPDATE source_status SET height = 140');
    await eventually('it is ready', async () => (await ready())[0] === 200);
  });

  it('counts each block time without news of the node as a block, and is ready again when there is news', async () => {
    const hear = (secondsAgo: number) =>
      served.database.query(
        `UPDATE source_status SET height = 130, check_interval_ms = 1000, checked_at = now() - make_interval(secs => $1)`,
        [secondsAgo],
      );
    await hear(60);
    const isLoaded = async (): Promise<boolean> =>
      ((await (await fetch(`${served.api.url}/api/loader/status`)).json()) as { loaded: boolean }).loaded;
    await eventually('it is not loaded', async () => !(await isLoaded()));
    await untilReady();
    await hear(600);
    await eventually('it is unready', async () => (await ready())[0] === 503);
    expect((await ready())[1]).toEqual({
      status: 'not ready',
      reason: expect.stringMatching(
        /^Nothing was heard from the node for 6\d\d s: .* Check that the indexer runs/,
      ),
    });
    await served.database.query('UPDATE source_status SET check_interval_ms = 3600000, checked_at = now()');
    await eventually('it is ready', async () => (await ready())[0] === 200 && (await isLoaded()));
  });

  it('stays ready when the schema becomes newer, but is unready if it starts on a newer schema, and says so', async () => {
    await served.database.query("INSERT INTO migrations (timestamp, name) VALUES (9, 'AddMoons9')");
    await untilReady();
    const late = await startApi(served.databaseUrl);
    const response = await fetch(`${late.operationsUrl}/health/ready`);
    expect([response.status, await response.json()]).toEqual([
      503,
      {
        status: 'not ready',
        reason: expect.stringMatching(/newer than this api.*AddMoons9\. Start the api/),
      },
    ]);
    await late.close();
    await served.database.query("DELETE FROM migrations WHERE name = 'AddMoons9'");
  });

  it('is not ready while the schema is older than the one it knows, and says so', async () => {
    await served.database.query('ALTER TABLE migrations RENAME TO migrations_before');
    await served.database.query('CREATE TABLE migrations (LIKE migrations_before)');
    expect(await ready()).toEqual([
      503,
      { status: 'not ready', reason: expect.stringMatching(/older than this api.*Run "indexer migrate"/) },
    ]);
    await served.database.query('DROP TABLE migrations');
    await served.database.query('ALTER TABLE migrations_before RENAME TO migrations');
    await untilReady();
  });

  it('is not ready on an index of an older version, and says to index again', async () => {
    await served.database.query(
      "INSERT INTO migrations (timestamp, name) VALUES (1, 'CreateIndex1763700000000')",
    );
    expect(await ready()).toEqual([
      503,
      { status: 'not ready', reason: expect.stringMatching(/an index of an older version, .* index again/) },
    ]);
    await served.database.query('DELETE FROM migrations WHERE timestamp = 1');
    await untilReady();
  });

  it('starts on a database that was never migrated, and says that it is not ready', async () => {
    const database = await createEmptyDatabase();
    const api = await startApiAt(database.url);
    expect((await fetch(`${api.operationsUrl}/health/ready`)).status).toBe(503);
    expect((await fetch(`${api.url}/api/blocks`)).status).toBe(503);
    await api.close();
    await database.drop();
  });
});
