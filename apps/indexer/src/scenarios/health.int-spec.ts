import { jest } from '@jest/globals';
import { eventually, randomChain } from '@roundhouse/testing';
import { Pool } from 'pg';
import { IndexerHarness, MemorySource, readiness } from '../indexer.harness.js';

const { network, blocks } = randomChain({ seed: 5, blocks: 20 });

describe('an indexer', () => {
  let harness: IndexerHarness;

  beforeEach(async () => {
    harness = await IndexerHarness.create('postgres');
  });

  afterEach(() => harness.close());

  it('is ready on the schema that it knows, and on one that a newer version made meanwhile', async () => {
    const { operationsUrl } = await harness.start(new MemorySource(blocks, network));
    expect((await readiness(operationsUrl))[0]).toBe(200);
    await harness.pool.query(`INSERT INTO migrations (timestamp, name) VALUES (9, 'AddMoons9')`);
    expect((await readiness(operationsUrl))[0]).toBe(200);
  });

  it('is live, ready and not behind while the chain itself stands still, and live while its node is away', async () => {
    // Its newest block is years old.
    const source = new MemorySource(blocks, network);
    const { operationsUrl } = await harness.start(source);
    await harness.reach(blocks.at(-1)!);
    const isLive = async (): Promise<boolean> => (await fetch(`${operationsUrl}/health/live`)).ok;
    await source.polls(5);
    expect([await isLive(), (await readiness(operationsUrl))[0]]).toEqual([true, 200]);
    expect(await (await fetch(`${operationsUrl}/metrics`)).text()).toMatch(/^roundhouse_lag_blocks 0$/m);
    source.isAway = true;
    await source.polls(3);
    expect(await isLive()).toBe(true);
  });

  it('is unready on an older schema, and says what is missing', async () => {
    const { operationsUrl } = await harness.start(new MemorySource(blocks, network));
    const { rows } = await harness.pool.query<{ name: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name',
    );
    const [status, text] = await readiness(operationsUrl);
    expect(status).toBe(503);
    expect(text).toContain(rows[0]!.name);
  });

  it('is unready soon if its database does not answer', async () => {
    const { app, operationsUrl } = await harness.start(new MemorySource(blocks, network));
    const query = jest.spyOn(app.get(Pool), 'query').mockReturnValue(new Promise(() => undefined));
    // It would never answer without a limit.
    const [status, text] = await readiness(operationsUrl);
    query.mockRestore();
    expect(status).toBe(503);
    expect(text).toMatch(/cannot be reached/);
  });

  it('is unready while the writer’s lock cannot be requested, and says why', async () => {
    await harness.pool.query('ALTER FUNCTION pg_catalog.pg_try_advisory_lock(bigint) RENAME TO taken_away');
    const { operationsUrl } = await harness.start(new MemorySource(blocks, network));
    await eventually('readiness says why', async () =>
      /leading: function pg_try_advisory_lock\(.*\) does not exist/.test((await readiness(operationsUrl))[1]),
    );
    expect((await readiness(operationsUrl))[0]).toBe(503);
    await harness.pool.query('ALTER FUNCTION pg_catalog.taken_away(bigint) RENAME TO pg_try_advisory_lock');
    await harness.reach(blocks.at(-1)!);
    expect((await readiness(operationsUrl))[0]).toBe(200);
  });

  it.each([
    [
      'an index of an older version, and says to index again',
      ['1', 'CreateIndex1763700000000'],
      /^The database holds an index of an older version, .* index again, into an empty database\.$/,
    ],
    [
      'a schema that a newer version made',
      ['9', 'AddMoons9'],
      /migrated by a newer version \(it has AddMoons9\)/,
    ],
  ])('does not start on %s', async (_, migration, says) => {
    await harness.pool.query(`INSERT INTO migrations (timestamp, name) VALUES ($1, $2)`, migration);
    await expect(harness.start(new MemorySource(blocks, network))).rejects.toThrow(says);
  });
});
