import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import { Client } from 'pg';
import { ensureApiRole } from './ensure-api-role.js';
import { ensureIndexerRole } from './ensure-indexer-role.js';

const suffix = randomBytes(4).toString('hex');
const api = { name: `api_${suffix}`, password: "first 'secret'", connectionLimit: 10 };
const indexer = { name: `indexer_${suffix}`, password: 'another secret', connectionLimit: 10 };

const asRole = (url: string, { name, password }: { name: string; password: string }): string => {
  const changed = new URL(url);
  changed.username = name;
  changed.password = encodeURIComponent(password);
  return changed.toString();
};

describe('the roles of the apps', () => {
  const clients: Client[] = [];
  let database: TestDatabase;
  let owner: Client;
  let asApi: Client;
  let asIndexer: Client;

  const connect = async (url: string): Promise<Client> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = await connect(database.url);
    await ensureApiRole(owner, api);
    await ensureIndexerRole(owner, indexer);
    asApi = await connect(asRole(database.url, api));
    asIndexer = await connect(asRole(database.url, indexer));
  });

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
    const maintenance = new URL(database.url);
    maintenance.pathname = '/postgres';
    await database.drop();
    const server = await connect(maintenance.toString());
    await server.query(`DROP ROLE ${api.name}, ${indexer.name}`);
    await server.end();
  });

  describe('the api', () => {
    it('reads the tables of the index', async () => {
      const tables =
        'network public_keys head source_status blocks accounts delegates locks daily_fees events rounds migrations';
      for (const table of tables.split(' '))
        expect((await asApi.query(`SELECT count(*) FROM ${table}`)).rowCount).toBe(1);
    });

    it('listens for the head', async () => {
      await expect(asApi.query('LISTEN head')).resolves.toBeDefined();
    });

    // A session can change its own settings, so the rights themselves have to hold.
    it.each([
      ['insert', "INSERT INTO source_status (source, height) VALUES ('x', 1)"],
      ['update', 'UPDATE accounts SET balance = 1'],
      ['delete', 'DELETE FROM blocks'],
      ['empty a table', 'TRUNCATE blocks'],
      ['lock a row', 'SELECT * FROM blocks FOR UPDATE'],
      ['read staged ranges', 'SELECT * FROM staged_ranges'],
      ['read undo records', 'SELECT * FROM undo_delegates'],
      ['create a table', 'CREATE TABLE mine (id integer)'],
      ['create a temporary table', 'CREATE TEMPORARY TABLE mine (id integer)'],
      ['create a schema', 'CREATE SCHEMA mine'],
      ['change a table', 'ALTER TABLE blocks ADD COLUMN mine integer'],
      ['read passwords', 'SELECT rolpassword FROM pg_authid'],
      ['read files of the server', "SELECT pg_read_file('postgresql.conf')"],
      ['write files of the server', "COPY head TO '/tmp/roundhouse-must-not-be-written'"],
      ['run programs of the server', "COPY head TO PROGRAM 'true'"],
      ['create a role', 'CREATE ROLE mine'],
      ['become the owner', 'SET ROLE roundhouse'],
    ])('cannot %s, even in a transaction that it makes writable', async (_what, sql) => {
      await asApi.query('BEGIN READ WRITE');
      await expect(asApi.query(sql)).rejects.toMatchObject({ code: '42501' });
      await asApi.query('ROLLBACK');
    });

    it('has read-only transactions and all timeouts', async () => {
      const { rows } = await asApi.query(
        `SELECT current_setting('default_transaction_read_only') AS "readOnly",
                current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
                current_setting('idle_in_transaction_session_timeout') AS "idleInTransaction",
                current_setting('idle_session_timeout') AS idle, current_setting('jit') AS jit`,
      );
      expect(rows).toEqual([
        { readOnly: 'on', statement: '10s', lock: '5s', idleInTransaction: '10s', idle: '5min', jit: 'off' },
      ]);
    });

    it('has no more sessions than its limit', async () => {
      await ensureApiRole(owner, { ...api, connectionLimit: 1 });
      await expect(connect(asRole(database.url, api))).rejects.toThrow('too many connections for role');
      await ensureApiRole(owner, api);
    });
  });

  describe('the indexer', () => {
    it('writes, empties and locks the tables of the index', async () => {
      await asIndexer.query(`
        INSERT INTO staged_ranges (from_height, to_height, size_bytes, blocks) VALUES (1, 2, 1, '');
        UPDATE staged_ranges SET size_bytes = 2;
        SELECT * FROM staged_ranges FOR UPDATE;
        DELETE FROM staged_ranges;
        TRUNCATE undo_accounts, blocks, head;
        NOTIFY head, '1:1'`);
    });

    it.each([
      ['create a table', 'CREATE TABLE mine (id integer)'],
      ['create a schema', 'CREATE SCHEMA mine'],
      ['change a table', 'ALTER TABLE blocks ADD COLUMN mine integer'],
      ['create an index', 'CREATE INDEX mine ON blocks (version)'],
      ['drop a table', 'DROP TABLE blocks'],
      [
        'create a trigger',
        'CREATE TRIGGER mine AFTER INSERT ON blocks EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      ],
      ['pretend that a migration ran', "INSERT INTO migrations (timestamp, name) VALUES (1, 'Mine1')"],
      ['pass its rights on', 'GRANT SELECT ON blocks TO PUBLIC'],
      ['read passwords', 'SELECT rolpassword FROM pg_authid'],
      ['run programs of the server', "COPY head FROM PROGRAM 'true'"],
      ['create a role', 'CREATE ROLE mine'],
      ['become the owner', 'SET ROLE roundhouse'],
    ])('cannot %s', async (_what, sql) => {
      // For GRANT on a table that it does not own, the server only warns; all other statements fail.
      const notices: string[] = [];
      asIndexer.on('notice', ({ message }) => notices.push(message ?? ''));
      const outcome = await asIndexer.query(sql).then(
        () => notices.join(),
        (error: Error & { code?: string }) => error.code,
      );
      asIndexer.removeAllListeners('notice');
      expect(outcome).toMatch(/^42501$|^no privileges were granted/);
    });
  });

  it('cover the tables that a later migration creates', async () => {
    await owner.query('CREATE TABLE moons (id serial PRIMARY KEY, name text)');
    await asIndexer.query("INSERT INTO moons (name) VALUES ('Io')");
    expect((await asApi.query('SELECT name FROM moons')).rows).toEqual([{ name: 'Io' }]);
    await owner.query('DROP TABLE moons');
  });

  it('keep their grants when they are updated, and a new password replaces the old one', async () => {
    const changed = { ...api, password: 'second' };
    await ensureApiRole(owner, changed);
    await expect(connect(asRole(database.url, api))).rejects.toThrow('password authentication failed');
    const again = await connect(asRole(database.url, changed));
    expect((await again.query('SELECT count(*) FROM blocks')).rowCount).toBe(1);
    await again.end();
  });

  it('keep their password when none is given', async () => {
    await ensureIndexerRole(owner, { ...indexer, password: null });
    const again = await connect(asRole(database.url, indexer));
    await again.end();
  });

  it('are refused if they have rights beyond their grants', async () => {
    const refused = 'has more rights than it should';
    const { rows } = await owner.query<{ name: string }>('SELECT current_user AS name');
    await expect(ensureApiRole(owner, { ...api, name: rows[0]!.name })).rejects.toThrow(refused);
    await owner.query(`GRANT pg_write_all_data TO ${api.name}`);
    await expect(ensureApiRole(owner, api)).rejects.toThrow(refused);
    await owner.query(`REVOKE pg_write_all_data FROM ${api.name}`);
  });

  it('cannot be created without a password, or with one that is not printable ASCII', async () => {
    const absent = { name: `absent_${suffix}`, password: null, connectionLimit: 1 };
    await expect(ensureApiRole(owner, absent)).rejects.toThrow('set its password for "indexer migrate"');
    await expect(ensureApiRole(owner, { ...api, password: 'ſecret' })).rejects.toThrow('printable ASCII');
  });

  it('cannot be created by a role without CREATEROLE, and the error names it', async () => {
    await expect(ensureApiRole(asIndexer, { ...api, name: `new_${suffix}` })).rejects.toThrow('CREATEROLE');
  });
});
