import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, eventually, freePort } from '@roundhouse/testing';
import { startApi, startApiAt } from './support/api-under-test.js';
import { readMetric } from './support/metrics.js';
import { getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

let served: ServedChain;
beforeAll(async () => {
  served = await serveChain({ settings: { READY_MAX_LAG: '10' } });
});
afterAll(() => served.stop());

describe('the internal port', () => {
  const ready = async ({ operationsUrl } = served.api): Promise<[number, unknown]> => {
    const response = await fetch(`${operationsUrl}/health/ready`);
    return [response.status, await response.json()];
  };

  const notReady = (reason: RegExp) => [503, { status: 'not ready', reason: expect.stringMatching(reason) }];

  const untilReady = (): Promise<number> =>
    eventually('it is ready', async () => JSON.stringify(await ready()) === '[200,{"status":"ready"}]');

  const untilUnready = async (reason: RegExp): Promise<void> => {
    await eventually('it is unready', async () => (await ready())[0] === 503);
    expect(await ready()).toEqual(notReady(reason));
  };

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
    const read = (name: string): Promise<number> => readMetric(served.api, `roundhouse_${name}`);
    const [ready, made] = [await read('answers_ready_total'), await read('answers_made_total')];
    for (const limit of [31, 31, 31, 32]) await getText(served.api.url, `/api/blocks?limit=${limit}`);
    expect(await read('answers_made_total')).toBe(made + 2);
    expect(await read('answers_ready_total')).toBe(ready + 2);
    expect(await read('pool_max')).toBe(10);
    expect(await read('pool_waiting')).toBe(0);
    expect(await read('pool_connections')).toBeGreaterThan(0);
    await eventually('the head is confirmed', async () => (await read('head_confirmed')) === 1);
    expect(await read('head_indexed_timestamp_seconds')).toBeLessThanOrEqual(Date.now() / 1_000);
  });

  it('makes one answer for all URLs that differ in parameters which nobody reads', async () => {
    for (const path of ['/', '/api/blocks/getHeight', '/api/delegates?limit=7', '/api/v1/blocks/getHeight']) {
      await getText(served.api.url, path);
      const made = await readMetric(served.api, 'roundhouse_answers_made_total');
      const mark = path.includes('?') ? '&' : '?';
      for (const unread of ['x=1', 'x=2', 'y[]=3']) await getText(served.api.url, path + mark + unread);
      expect([path, await readMetric(served.api, 'roundhouse_answers_made_total')]).toEqual([path, made]);
    }
  });

  it('is ready within READY_MAX_LAG of the node, and again when it has caught up', async () => {
    await untilReady();
    await served.database.query('UPDATE source_status SET height = 141');
    await untilUnready(/11 blocks behind/);
    await served.database.query('UPDATE source_status SET height = 140');
    await untilReady();
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
    await untilUnready(/^Nothing was heard from the node for 6\d\d s: .* Check that the indexer runs/);
    await served.database.query('UPDATE source_status SET check_interval_ms = 3600000, checked_at = now()');
    await untilReady();
    await eventually('it is loaded', isLoaded);
  });

  it('stays ready when the schema becomes newer, but is unready if it starts on a newer schema, and says so', async () => {
    await served.database.query("INSERT INTO migrations (timestamp, name) VALUES (9, 'AddMoons9')");
    await untilReady();
    const late = await startApi(served.databaseUrl);
    expect(await ready(late)).toEqual(notReady(/newer than this api.*AddMoons9\. Start the api/));
    await late.close();
    await served.database.query("DELETE FROM migrations WHERE name = 'AddMoons9'");
  });

  it('is not ready while the schema is older than the one it knows, and says so', async () => {
    await served.database.query('CREATE TABLE kept AS SELECT * FROM migrations ORDER BY id DESC LIMIT 1');
    await served.database.query('DELETE FROM migrations USING kept WHERE migrations.id = kept.id');
    expect(await ready()).toEqual(notReady(/older than this api.*Run "indexer migrate"/));
    await served.database.query('INSERT INTO migrations SELECT * FROM kept; DROP TABLE kept');
    await untilReady();
  });

  it('is not ready on an index of an older version, and says to index again', async () => {
    await served.database.query(
      "INSERT INTO migrations (timestamp, name) VALUES (1, 'CreateIndex1763700000000')",
    );
    expect(await ready()).toEqual(notReady(/an index of an older version, .* index again/));
    await served.database.query('DELETE FROM migrations WHERE timestamp = 1');
    await untilReady();
  });

  it('starts on a database that was never migrated, and says that it is not ready', async () => {
    const database = await createEmptyDatabase();
    const api = await startApiAt(database.url);
    expect((await ready(api))[0]).toBe(503);
    expect((await fetch(`${api.url}/api/blocks`)).status).toBe(503);
    await api.close();
    await database.drop();
  });
});

describe('a start that cannot succeed', () => {
  it.each(['PORT', 'OPS_PORT'] as const)('says in one sentence that %s is in use', async (setting) => {
    const used = setting === 'PORT' ? served.api.url : served.api.operationsUrl;
    const { port } = new URL(used);
    await expect(startApi(served.databaseUrl, { [setting]: port })).rejects.toMatchObject({
      code: 'OPERATOR',
      message: `${setting} ${port} is in use on 127.0.0.1: stop the other program or set another ${setting}.`,
    });
  });

  it('says in one sentence that the database cannot be reached, and names neither user nor password', async () => {
    const port = await freePort();
    const start = startApiAt(`postgres://me:secret@127.0.0.1:${port}/index`);
    const { message } = await start.then(
      () => new Error('It started.'),
      (reason: Error) => reason,
    );
    expect(message).toMatch(
      new RegExp(
        `^The database at 127.0.0.1:${port}/index cannot be reached .*: start it, or correct DATABASE_URL`,
      ),
    );
    expect(message).not.toContain('secret');
  });
});
