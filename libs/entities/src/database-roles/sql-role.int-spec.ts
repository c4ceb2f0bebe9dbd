import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import { Client } from 'pg';
import { createSqlViews } from '../views/sql-views.js';
import { ensureIndexerRole } from './ensure-indexer-role.js';
import { ensureSqlRole, sqlOfRole } from './ensure-sql-role.js';

const suffix = randomBytes(4).toString('hex');
const role = { name: `sql_${suffix}`, password: 'secret', connectionLimit: 2, maxSeconds: 1 };
const indexer = { name: `sql_indexer_${suffix}`, password: 'secret', connectionLimit: 2 };
const owner = { name: `sql_owner_${suffix}`, password: 'secret' };

/** What concerns this database: others are made and dropped meanwhile. */
const here = (statements: readonly string[]): string[] =>
  statements.filter((statement) => !statement.startsWith('REVOKE CONNECT'));

describe('the role that reads the views', () => {
  const clients: Client[] = [];
  let database: TestDatabase;
  let superuser: Client;
  let reader: Client;

  const connect = async (as?: { name: string; password: string }, name?: string): Promise<Client> => {
    const url = new URL(database.url);
    if (name !== undefined) url.pathname = name;
    if (as) Object.assign(url, { username: as.name, password: as.password });
    const client = new Client({ connectionString: url.toString() });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    superuser = await connect();
    await ensureIndexerRole(superuser, indexer);
    await createSqlViews(superuser);
    expect(here(await ensureSqlRole(superuser, role))).toEqual([]);
    reader = await connect(role);
  });

  afterAll(async () => {
    for (const { name } of [role, indexer, owner])
      await superuser.query(
        `DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${name}') THEN
           REASSIGN OWNED BY ${name} TO CURRENT_USER; DROP OWNED BY ${name}; DROP ROLE ${name}; END IF; END $$`,
      );
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
    await database.drop();
  });

  it.each(['blocks', 'transactions', 'rounds', 'wallets'])('reads %s', async (view) => {
    await expect(reader.query(`SELECT * FROM ${view}`)).resolves.toMatchObject({ rows: [] });
  });

  it('learns when a wallet was used', async () => {
    await superuser.query(
      `INSERT INTO roundhouse.accounts (balance, locked, number, nonce, address) VALUES (1, 0, 1, 0, 'A');
       UPDATE roundhouse.head SET id = id`,
    );
    expect((await reader.query('SELECT wallets.updated_at FROM wallets')).rows).toEqual([
      { updated_at: null },
    ]);
  });

  it.each([
    ['the tables', 'SELECT * FROM roundhouse.head'],
    ['the migrations', 'SELECT * FROM roundhouse.migrations'],
    ['the checkpoint', 'SELECT * FROM checkpoint.head'],
    ['a temporary table', 'CREATE TEMPORARY TABLE mine (id integer)'],
    ['a table', 'CREATE TABLE public.mine (id integer)'],
    ['a schema', 'CREATE SCHEMA mine'],
    ['rows', 'DELETE FROM roundhouse.rounds'],
    ['a large object', "SELECT lo_from_bytea(0, 'large')"],
    ['an empty large object', 'SELECT lo_create(0), lo_creat(-1)'],
    ['the log of the server', "SELECT pg_logical_emit_message(false, 'a', 'b')"],
    ['the size of its files', "SET temp_file_limit = '-1'"],
    ['passwords', 'SELECT * FROM pg_authid'],
    ['functions of the index', 'SELECT roundhouse.end_long_statements()'],
  ])('neither reads nor changes %s', async (_what, sql) => {
    await reader.query('BEGIN READ WRITE');
    await expect(reader.query(sql)).rejects.toMatchObject({ code: '42501' });
    await reader.query('ROLLBACK');
  });

  it('has limits', async () => {
    const { rows } = await reader.query(
      `SELECT current_setting('temp_file_limit') AS files, current_setting('statement_timeout') AS statement,
         current_setting('default_transaction_read_only') AS read_only, current_setting('search_path') AS path`,
    );
    expect(rows).toEqual([{ files: '1GB', statement: '1s', read_only: 'on', path: 'public' }]);
    await connect(role);
    await expect(connect(role)).rejects.toThrow('too many connections for role');
  });

  it('is cut off by the indexer if it takes longer, although it has lifted its limit', async () => {
    const watchdog = await connect(indexer);
    const end = async (): Promise<number> =>
      (await watchdog.query<{ ended: number }>('SELECT end_long_statements() AS ended')).rows[0]!.ended;
    expect(await end()).toBe(0);
    await reader.query('SET statement_timeout = 0');
    const sleeping = reader.query('SELECT pg_sleep(600)').catch((error: { code?: string }) => error.code);
    let ended = 0;
    while (ended === 0) ended = await end();
    expect(ended).toBe(1);
    expect(await sleeping).toBe('57P01');
  });

  it('is bounded in every database, and an administrator is told to which it may connect', async () => {
    const elsewhere = `sql_${suffix}_elsewhere`;
    await superuser.query(`CREATE DATABASE ${elsewhere} TEMPLATE template0`);
    const many = { ...role, connectionLimit: 9 };
    const revoke = `REVOKE CONNECT ON DATABASE ${elsewhere} FROM PUBLIC`;
    expect(await ensureSqlRole(superuser, many)).toContain(revoke);
    const client = await connect(role, elsewhere);
    const { rows } = await client.query(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('default_transaction_read_only') AS read_only`,
    );
    expect(rows).toEqual([{ statement: '1s', read_only: 'on' }]);
    await client.query('SET statement_timeout = 0; SELECT pg_advisory_lock(7466502)');
    expect((await superuser.query('SELECT end_long_statements() AS ended')).rows).toEqual([{ ended: 0 }]);
    const sleeping = client.query('SELECT pg_sleep(600)').catch((error: { code?: string }) => error.code);
    let ended = 0;
    while (ended === 0)
      ended = (await superuser.query<{ ended: number }>('SELECT end_long_statements() AS ended')).rows[0]!
        .ended;
    expect(await sleeping).toBe('57P01');
    await superuser.query(revoke);
    expect(await ensureSqlRole(superuser, many)).not.toContain(revoke);
    await expect(connect(role, elsewhere)).rejects.toMatchObject({ code: '42501' });
    await superuser.query(`DROP DATABASE ${elsewhere}`);
  });

  it('cannot keep the locks by which indexers and migrations exclude each other, nor wait for them', async () => {
    await superuser.query(`ALTER ROLE ${role.name} CONNECTION LIMIT 9`);
    const [holds, waits] = [await connect(role), await connect(role)];
    const lock = 'SELECT pg_advisory_lock(7466502)';
    await holds.query(lock);
    const ends = [holds, waits].map((client) => new Promise((resolve) => client.once('end', resolve)));
    waits.query(lock).catch(() => undefined);
    const blocked = 'SELECT FROM pg_locks WHERE NOT granted AND objid = 7466502';
    while ((await superuser.query(blocked)).rowCount === 0);
    expect((await superuser.query('SELECT end_long_statements() AS ended')).rows).toEqual([{ ended: 2 }]);
    await Promise.all(ends);
  });

  it('is made and cut off by an owner that is no superuser; what needs one is named', async () => {
    await superuser.query(
      `CREATE ROLE ${owner.name} LOGIN CREATEROLE PASSWORD '${owner.password}';
       GRANT CREATE ON DATABASE ${new URL(database.url).pathname.slice(1)} TO ${owner.name} WITH GRANT OPTION;
       DO $$ DECLARE own record; BEGIN
         FOR own IN SELECT format('ALTER %s %s OWNER TO ${owner.name}', CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, oid::regclass) AS sql
           FROM pg_class WHERE relnamespace IN ('roundhouse'::regnamespace, 'public'::regnamespace) AND relkind IN ('r', 'v')
           UNION ALL SELECT format('ALTER FUNCTION %s OWNER TO ${owner.name}', oid::regprocedure) FROM pg_proc
           WHERE pronamespace IN ('roundhouse'::regnamespace, 'public'::regnamespace)
         LOOP EXECUTE own.sql; END LOOP; END $$;
       ALTER SCHEMA roundhouse OWNER TO ${owner.name}; ALTER SCHEMA public OWNER TO ${owner.name};
       ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO ${owner.name}`,
    );
    const other = { ...role, name: `${role.name}_2`, connectionLimit: 3 };
    const asOwner = await connect(owner);
    await asOwner.query('SET search_path = roundhouse');
    await createSqlViews(asOwner);
    const left = here(await ensureSqlRole(asOwner, other));
    expect(left).toEqual([`ALTER ROLE "${other.name}" SET temp_file_limit = '1GB'`]);
    const client = await connect(other);
    const sleeping = client
      .query('SET statement_timeout = 0; SELECT pg_sleep(600)')
      .catch((error: { code?: string }) => error.code);
    let ended = 0;
    while (ended === 0)
      ended = (await asOwner.query<{ ended: number }>('SELECT end_long_statements() AS ended')).rows[0]!
        .ended;
    expect(await sleeping).toBe('57P01');
    const kept = `SELECT has_table_privilege($1, 'public.rounds', 'SELECT') AS rounds,
      has_function_privilege($1, 'public.updated_at(public.wallets)', 'EXECUTE') AS used`;
    expect((await superuser.query(kept, [other.name])).rows).toEqual([{ rounds: true, used: true }]);
    expect((await superuser.query(kept, [role.name])).rows).toEqual([{ rounds: false, used: false }]);
    await asOwner.query(`DROP OWNED BY ${other.name}`);
    await superuser.query(`DROP ROLE ${other.name}`);
  });

  it('is watched if an administrator made it and ran what was printed', async () => {
    const made = { ...role, name: `${role.name}_3`, password: null };
    const name = new URL(database.url).pathname.slice(1);
    await superuser.query(
      `ALTER ROLE ${owner.name} NOCREATEROLE; CREATE ROLE ${made.name} LOGIN PASSWORD '${role.password}';
       ALTER DATABASE ${name} OWNER TO CURRENT_USER; GRANT TEMPORARY ON DATABASE ${name} TO PUBLIC;
       GRANT EXECUTE ON FUNCTION lo_creat(integer) TO PUBLIC`,
    );
    const asOwner = await connect(owner);
    await asOwner.query('SET search_path = roundhouse');
    const left = here(await ensureSqlRole(asOwner, made));
    expect(left).toContain(`GRANT "${made.name}" TO "${owner.name}"`);
    expect(left).toContain(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
    expect(left).toContain('REVOKE EXECUTE ON FUNCTION lo_creat(integer) FROM PUBLIC');
    for (const statement of left) await superuser.query(statement);
    expect(here(await ensureSqlRole(asOwner, made))).toEqual([left[0]]);
    const client = await connect({ name: made.name, password: role.password });
    const end = new Promise((resolve) => client.once('end', resolve));
    await client.query('SELECT pg_advisory_lock(7466502)');
    expect((await asOwner.query('SELECT end_long_statements() AS ended')).rows).toEqual([{ ended: 1 }]);
    await end;
    await superuser.query(`DROP OWNED BY ${made.name}; DROP ROLE ${made.name}`);
  });

  it('is described as SQL for an administrator', () => {
    expect(sqlOfRole({ ...role, name: 'reader' })).toContain(
      `CREATE ROLE "reader" LOGIN CONNECTION LIMIT 2 PASSWORD '…';`,
    );
  });
});
