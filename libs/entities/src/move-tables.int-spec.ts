import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@roundhouse/testing';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { migrate } from './migrate.js';
import { migrations } from './migrations/index.js';
import { ensureApiRole } from './database-roles/ensure-api-role.js';
import { ensureIndexerRole } from './database-roles/ensure-indexer-role.js';
import { schemaState } from './schema-state.js';
import { sessionOptions } from './session.js';

const suffix = randomBytes(4).toString('hex');
const api = { name: `moved_api_${suffix}`, password: 'secret', connectionLimit: 9 };
const indexer = { name: `moved_indexer_${suffix}`, password: 'secret', connectionLimit: 9 };

/** The move, and what later migrations made in the schema. */
const SINCE = migrations.slice(migrations.findIndex(({ name }) => name.startsWith('MoveTables')));
const SINCE_NAMES = SINCE.map(({ name }) => name);

/** How the version before pinned its sessions. */
const OLD_OPTIONS = '-c search_path=public';

const HEAD = `INSERT INTO head (supply, height, "timestamp", delegate_count, block_id) VALUES (1, 7, 0, 0, '\\x01')`;

describe('the tables move to a schema of their own', () => {
  const clients: Client[] = [];
  let database: TestDatabase;
  let owner: Client;
  let oldApi: Client;
  let oldIndexer: Client;

  const connect = async (role?: { name: string; password: string }, options?: string): Promise<Client> => {
    const url = new URL(database.url);
    if (role) Object.assign(url, { username: role.name, password: role.password });
    const client = new Client({ connectionString: url.toString(), options });
    clients.push(client);
    await client.connect();
    return client;
  };

  /** As an api sends it: prepared once. */
  const height = async (client: Client): Promise<unknown> =>
    (await client.query<{ height: number }>({ name: 'height', text: 'SELECT height FROM head' })).rows[0]
      ?.height;

  const moveBack = async (): Promise<void> => {
    await owner.query('BEGIN');
    for (const migration of SINCE.toReversed()) {
      await new migration().down(owner as unknown as QueryRunner);
      await owner.query('DELETE FROM migrations WHERE name = $1', [migration.name]);
    }
    await owner.query('COMMIT');
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = await connect();
    await ensureApiRole(owner, api);
    await ensureIndexerRole(owner, indexer);
    await owner.query(
      `INSERT INTO network (name, nethash, configuration) VALUES ('testnet', 'x', '{}'); ${HEAD}`,
    );
    await moveBack();
    oldApi = await connect(api, OLD_OPTIONS);
    oldIndexer = await connect(indexer, OLD_OPTIONS);
  });

  afterAll(async () => {
    await owner.query(`DROP OWNED BY ${api.name}, ${indexer.name}; DROP ROLE ${api.name}, ${indexer.name}`);
    await Promise.all(clients.map((client) => client.end()));
    await database.drop();
  });

  it('and back, while an api of the version before reads them: none of its statements fails', async () => {
    let isMoving = true;
    let reads = 0;
    const reading = (async () => {
      for (; isMoving; reads += 1) expect(await height(oldApi)).toBe(7);
    })();
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await migrate(database.url)).toEqual(SINCE_NAMES);
      const before = reads;
      await eventually('it has read again', () => Promise.resolve(reads > before));
      if (turn < 2) await moveBack();
    }
    isMoving = false;
    await reading;
  });

  it('where this version finds them, with the rights of before', async () => {
    for (const role of [api, indexer]) {
      const client = await connect(role, sessionOptions());
      expect(await schemaState(client)).toEqual({ kind: 'known' });
      expect(await height(client)).toBe(7);
    }
    const writer = await connect(indexer, sessionOptions());
    await writer.query('UPDATE head SET height = 8');
    expect(await height(oldApi)).toBe(8);
    await writer.query('UPDATE head SET height = 7');
    await owner.query('CREATE TABLE roundhouse.moons (name text); CREATE TABLE public.suns (name text)');
    await writer.query("INSERT INTO moons (name) VALUES ('Io')");
    expect((await (await connect(api, sessionOptions())).query('SELECT * FROM moons')).rowCount).toBe(1);
    await expect(writer.query('SELECT * FROM public.suns')).rejects.toMatchObject({ code: '42501' });
    await owner.query('DROP TABLE roundhouse.moons, public.suns');
  });

  it('and the api does not read the tokens of webhooks', async () => {
    const [reader, writer] = [await connect(api, sessionOptions()), await connect(indexer, sessionOptions())];
    for (const table of ['webhooks', 'webhook_events']) {
      await expect(reader.query(`SELECT * FROM ${table}`)).rejects.toMatchObject({ code: '42501' });
      expect((await writer.query(`SELECT * FROM ${table}`)).rows).toEqual([]);
    }
  });

  it('and an old api still learns which indexes are missing, but reads no more than before', async () => {
    // Without blocks, indexes of lists come later.
    expect((await oldApi.query('SELECT name FROM missing_indexes()')).rows).toEqual([
      { name: 'ix_accounts__voters' },
    ]);
    await expect(oldApi.query('SELECT * FROM staged_ranges')).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    'UPDATE head SET height = 9',
    'DELETE FROM blocks WHERE height > 0',
    "INSERT INTO events VALUES (1, 'head', '{}')",
    'TRUNCATE blocks',
  ])('and an indexer of the version before is refused: %s', async (sql) => {
    await owner.query(
      "INSERT INTO blocks (height, version, timestamp, reward, generator, id, block_signature) VALUES (1, 0, 0, 0, 1, '\\x01', '\\x01') ON CONFLICT DO NOTHING",
    );
    await expect(oldIndexer.query(sql)).rejects.toThrow(
      /^A newer version has moved the tables: start the indexer of that version\.$|is not a table/,
    );
    expect(await height(owner)).toBe(7);
  });

  it('but a program of this version is told to migrate as long as they have not moved', async () => {
    await moveBack();
    expect(await schemaState(await connect(api, sessionOptions()))).toEqual({
      kind: 'older',
      missing: SINCE_NAMES,
    });
    await migrate(database.url);
  });
});
