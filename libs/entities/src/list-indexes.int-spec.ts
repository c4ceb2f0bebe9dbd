import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, createTestDatabase, eventually, type TestDatabase } from '@roundhouse/testing';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { buildMissingIndex, buildMissingIndexes, readMissingIndexes } from './list-indexes.js';
import { migrate } from './migrate.js';
import { migrations } from './migrations/index.js';
import { ensureApiRole } from './database-roles/ensure-api-role.js';
import { ensureIndexerRole } from './database-roles/ensure-indexer-role.js';

const LISTS = [
  'ix_accounts__balance',
  'ix_blocks__generator',
  'ix_transactions__sender',
  'ix_transactions__recipient',
  'ix_transactions__type',
  'ix_accounts__attributes',
  'ix_transactions__unlocked',
  'ix_accounts__voters',
];

const ONE_BLOCK = `INSERT INTO blocks (height, version, "timestamp", reward, generator, id, block_signature)
  VALUES (1, 0, 0, 0, 1, '\\x01', '\\x02')`;

describe('the indexes of lists', () => {
  const databases: TestDatabase[] = [];
  const clients: Client[] = [];
  let url: string;
  let client: Client;

  const connect = async (to: string): Promise<Client> => {
    const connected = new Client({ connectionString: to });
    clients.push(connected);
    await connected.connect();
    return connected;
  };

  /** Definitions of all valid indexes of a database. */
  const indexesOf = async (database: Client): Promise<string[]> =>
    (
      await database.query<{ definition: string }>(
        `SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index JOIN pg_class c ON c.oid = indexrelid
         WHERE relnamespace IN ('roundhouse'::regnamespace, 'checkpoint'::regnamespace) AND indisvalid ORDER BY 1`,
      )
    ).rows.map(({ definition }) => definition);

  /** Back to before these indexes were built last. */
  const undoMigrations = async (): Promise<void> => {
    const first = migrations.findIndex(({ name }) => name.startsWith('BuildIndexesLast'));
    for (const migration of migrations.slice(first).toReversed()) {
      await new migration().down(client as unknown as QueryRunner);
      await client.query('DELETE FROM migrations WHERE name = $1', [migration.name]);
    }
  };

  beforeEach(async () => {
    const database = await createEmptyDatabase();
    databases.push(database);
    ({ url } = database);
    await migrate(url);
    client = await connect(url);
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((each) => each.end()));
    await Promise.all(databases.splice(0).map((each) => each.drop()));
  });

  it('are all that an empty database lacks, and are built one by one', async () => {
    const full = await createTestDatabase();
    databases.push(full);
    const all = await indexesOf(await connect(full.url));
    const first = await indexesOf(client);
    expect(await readMissingIndexes(client)).toEqual(LISTS);
    expect(all.filter((index) => !first.includes(index))).toHaveLength(LISTS.length);
    const built: (string | null)[] = [];
    for (let left = LISTS.length; left >= 0; left -= 1) {
      expect(await readMissingIndexes(client)).toHaveLength(left);
      built.push(await buildMissingIndex(client));
    }
    expect(built).toEqual([...LISTS, null]);
    expect(await indexesOf(client)).toEqual(all);
  });

  it('stay in an index that has blocks when it is migrated, and in an empty one that is emptied later', async () => {
    await buildMissingIndexes(client);
    const all = await indexesOf(client);
    await undoMigrations();
    await client.query(ONE_BLOCK);
    await migrate(url);
    expect(await indexesOf(client)).toEqual(all);
    await client.query('TRUNCATE blocks');
    expect(await readMissingIndexes(client)).toEqual([]);
    await undoMigrations();
    await migrate(url);
    expect(await readMissingIndexes(client)).toEqual(LISTS);
  });

  it('count as missing if they are invalid: one is dropped first, then built', async () => {
    await buildMissingIndexes(client);
    await client.query(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ix_transactions__sender'::regclass`,
    );
    expect(await readMissingIndexes(client)).toEqual(['ix_transactions__sender']);
    expect(await buildMissingIndex(client)).toBe('ix_transactions__sender');
    expect((await client.query(`SELECT to_regclass('ix_transactions__sender') AS found`)).rows).toEqual([
      { found: null },
    ]);
    expect(await buildMissingIndex(client)).toBe('ix_transactions__sender');
    expect(await buildMissingIndex(client)).toBeNull();
  });

  it('are each built once if two leaders build at once, and a build that is cut off leaves nothing', async () => {
    await client.query('BEGIN; LOCK TABLE accounts IN ROW EXCLUSIVE MODE');
    const [one, other, third] = [await connect(url), await connect(url), await connect(url)];
    one.on('error', () => undefined);
    const pid = await one.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const cutOff = buildMissingIndex(one).catch((error: Error) => error.message);
    await eventually('it waits for the table', async () => {
      const { rowCount } = await client.query('SELECT FROM pg_locks WHERE NOT granted AND pid = $1', [
        pid.rows[0]!.pid,
      ]);
      return rowCount === 1;
    });
    await client.query('SELECT pg_terminate_backend($1)', [pid.rows[0]!.pid]);
    expect(await cutOff).toMatch(/terminat/);
    const both = Promise.all([buildMissingIndex(other), buildMissingIndex(third)]);
    await client.query('COMMIT');
    expect((await both).sort()).toEqual(LISTS.slice(0, 2));
    await Promise.all([buildMissingIndexes(other), buildMissingIndexes(third)]);
    expect(await readMissingIndexes(client)).toEqual([]);
  });

  it('are built for a role that wrote before the migration', async () => {
    const name = `lists_writer_${randomBytes(4).toString('hex')}`;
    await ensureIndexerRole(client, { name, password: 'secret', connectionLimit: 5 });
    await buildMissingIndexes(client);
    await undoMigrations();
    await migrate(url);
    const writer = await connect(
      Object.assign(new URL(url), { username: name, password: 'secret' }).toString(),
    );
    expect(await buildMissingIndex(writer)).toBe(LISTS[0]);
    await writer.end();
    await client.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
  });

  it('are built for the role of the indexer, which owns no table, and not for that of the api', async () => {
    const suffix = randomBytes(4).toString('hex');
    const roles = [`lists_indexer_${suffix}`, `lists_api_${suffix}`] as const;
    const roleOf = (name: string) => ({ name, password: 'secret', connectionLimit: 5 });
    await ensureIndexerRole(client, roleOf(roles[0]));
    await ensureApiRole(client, roleOf(roles[1]));
    const [indexer, api] = await Promise.all(
      roles.map((name) =>
        connect(Object.assign(new URL(url), { username: name, password: 'secret' }).toString()),
      ),
    );
    expect(await readMissingIndexes(api!)).toEqual(LISTS);
    await expect(buildMissingIndex(api!)).rejects.toMatchObject({ code: '42501' });
    await expect(indexer!.query('DROP INDEX ux_public_keys__value')).rejects.toMatchObject({ code: '42501' });
    await buildMissingIndexes(indexer!);
    expect(await readMissingIndexes(api!)).toEqual([]);
    await Promise.all([indexer!.end(), api!.end()]);
    for (const name of roles) await client.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
  });
});
