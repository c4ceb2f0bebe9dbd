import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import type { ChainState } from './chain-state.reader.js';
import { HeadWatcher } from './head-watcher.js';

/** So long that within a test only a notification triggers a reading. */
const NEVER_MS = 600_000;

describe('HeadWatcher', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let watcher: HeadWatcher;
  let seen: ChainState[];
  let waiting: (() => void)[];
  let errors: Error[];

  /** Resolves with the next state that the watcher reports. */
  const nextState = async (): Promise<ChainState> => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return seen.at(-1)!;
  };

  const start = async (pollMs: number): Promise<void> => {
    watcher = new HeadWatcher({
      connectionString: database.url,
      applicationName: 'watcher-test',
      pollMs,
      onState: (state) => {
        seen.push(state);
        waiting.splice(0).forEach((resolve) => resolve());
      },
      onError: (error) => errors.push(error),
    });
    await watcher.start();
  };

  beforeEach(async () => {
    [seen, waiting, errors] = [[], [], []];
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    // One test drops the database while it is in use.
    client.on('error', () => undefined);
    await client.connect();
  });

  afterEach(async () => {
    await watcher.stop();
    await client.end();
    await database.drop();
  });

  const insertHead = `INSERT INTO head (height, block_id, timestamp, supply, delegate_count, indexed_at)
    VALUES (7, '\\x000000000000004d', 8, 13092005600000001, 3, '2020-01-01T00:00:00.123456Z')`;

  it('reads at once, and again when it is notified', async () => {
    await start(NEVER_MS);
    expect(seen).toEqual([
      {
        isReplica: false,
        replicaLagSeconds: null,
        head: null,
        network: null,
        hasListIndexes: true,
        sourceHeight: null,
        sourceSilentSeconds: 0,
        end: null,
      },
    ]);
    await client.query(insertHead);
    await eventually('it is notified', async () => {
      await client.query("NOTIFY head, '7:77'");
      return seen.at(-1)!.head !== null;
    });
    expect(seen.at(-1)!.head).toEqual({
      height: 7,
      id: '77',
      timestamp: 8,
      supply: 13_092_005_600_000_001n,
      delegateCount: 3,
      indexedAtUs: 1_577_836_800_123_456n,
      revision: 1n,
    });
  });

  it('reads without being notified, and after its connection was cut off', async () => {
    await start(20);
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'watcher-test'",
    );
    await client.query(insertHead);
    while (seen.at(-1)?.head?.height !== 7) await nextState();
    expect(seen.at(-1)!.head!.id).toBe('77');
  });

  it('shares one reading among all callers that ask while another reading runs', async () => {
    await start(NEVER_MS);
    await Promise.all(Array.from({ length: 50 }, () => watcher.refresh()));
    // The reading at the start, the one of the first caller, and one for all other callers.
    expect(seen).toHaveLength(3);
  });

  it('reads the network when it is written, with all digits of its amounts', async () => {
    await start(NEVER_MS);
    const configuration = `{ "network": { "name": "n", "nethash": "${'ab'.repeat(32)}", "pubKeyHash": 30,
      "client": { "token": "T", "symbol": "S", "explorer": "E" } }, "milestones": [{ "height": 1,
      "reward": 9007199254740993, "activeDelegates": 51, "blocktime": 8, "epoch": "2017-03-21T13:00:00.000Z",
      "fees": { "staticFees": { "transfer": 1, "secondSignature": 2, "delegateRegistration": 3 } } }] }`;
    await client.query("INSERT INTO network (name, nethash, configuration) VALUES ('n', 'x', $1)", [
      configuration,
    ]);
    await watcher.refresh();
    expect(seen.at(-1)!.network!.network.pubKeyHash).toBe(30);
    expect(seen.at(-1)!.network!.milestones.at(1).reward).toBe(9_007_199_254_740_993n);
  });

  it('reports a missing database', async () => {
    await start(NEVER_MS);
    await database.drop();
    await expect(watcher.refresh()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(errors).toHaveLength(1);
  });
});
