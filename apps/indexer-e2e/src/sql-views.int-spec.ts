import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { indexer, type Ended } from './indexer-process.js';
import { IndexerRole } from './indexer-role.js';
import { IndexUnderTest } from './index-under-test.js';
import { recording } from './recording.js';

describe("a node's tables for programs of others", () => {
  let index: IndexUnderTest;

  afterEach(() => index.close());

  const migrate = (SQL_VIEWS: string, more: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    indexer(['migrate'], { ...index.environment, SQL_VIEWS, ...more });

  const views = async (): Promise<unknown> =>
    (
      await index.pool.query(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1`,
      )
    ).rows.map(({ name }: { name: string }) => name);

  it('are made and dropped by migrate, and status says so', async () => {
    index = await IndexUnderTest.synced(recording('core-3.9'), '--to', '100');
    expect(await views()).toEqual([]);
    expect((await index.command('status')).stdout).toMatch(/^views +off$/m);
    const made = "The views of a node's tables are up to date.";
    for (let turn = 0; turn < 2; turn += 1)
      expect(await migrate('on')).toMatchObject({ code: 0, stdout: expect.stringContaining(made) });
    expect(await views()).toEqual(['blocks', 'rounds', 'transactions', 'wallets']);
    const { stdout } = await index.command('status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ sqlViews: true });
    const { rows } = await index.pool.query('SELECT count(*)::integer AS count FROM public.blocks');
    expect(rows).toEqual([{ count: 100 }]);
    const role = `sql_reader_${process.pid}`;
    const readers = { SQL_ROLE: role, SQL_DATABASE_PASSWORD: 'secret', SQL_MAX_SECONDS: '1' };
    expect(await migrate('on', readers)).toMatchObject({ code: 0, stdout: expect.stringContaining(role) });
    const url = Object.assign(new URL(index.environment['DATABASE_URL']!), {
      username: role,
      password: 'secret',
    });
    const connect = async (): Promise<Client> => {
      const client = new Client({ connectionString: url.toString() });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    };
    // It could become the writer's successor, and keep all indexers from leading.
    let reader = await connect();
    await reader.query('SELECT pg_advisory_lock(7466502)');
    const leader = index.run();
    await index.reach(101, leader);
    reader = await connect();
    await reader.query('SET statement_timeout = 0');
    await expect(reader.query('SELECT pg_sleep(600) FROM blocks LIMIT 1')).rejects.toMatchObject({
      code: '57P01',
    });
    await leader.kill('SIGTERM');
    expect(await migrate('')).toMatchObject({ code: 0, stdout: expect.stringContaining(made) });
    expect(await views()).toEqual(['blocks', 'rounds', 'transactions', 'wallets']);
    expect(await migrate('off')).toMatchObject({ code: 0 });
    await index.pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    expect(await views()).toEqual([]);
  });

  it('have indexes with all rows after a first sync, a restore and a fork', async () => {
    index = await IndexUnderTest.create('postgres', recording('core-3.9'));
    const folder = await mkdtemp(join(tmpdir(), 'roundhouse-views-'));
    const file = join(folder, 'snapshot');
    const found = async (isByIndex: boolean) => {
      await index.pool.query(`SET enable_seqscan = ${isByIndex ? 'off' : 'on'}`);
      const { rows } = await index.pool.query<{ sent: string; received: string; followed: string }>(
        `SELECT (SELECT string_agg(count::text, ' ' ORDER BY number) FROM public_keys k, LATERAL (SELECT count(*) FROM public.transactions
           WHERE sender_public_key = encode(k.value, 'hex') ${isByIndex ? '' : "|| ''"}) n) AS sent,
         (SELECT string_agg(count::text, ' ' ORDER BY number) FROM addresses a, LATERAL (SELECT count(*) FROM public.transactions
           WHERE recipient_id = a.value ${isByIndex ? '' : "|| ''"}) n) AS received,
         (SELECT count(*) FROM public.blocks b, LATERAL (SELECT FROM public.blocks
           WHERE previous_block = b.id ${isByIndex ? '' : "|| ''"} OFFSET 0) n) AS followed`,
      );
      return rows[0]!;
    };
    const wallets = async () => {
      const { rows } = await index.pool.query<{ made: number; due: number; waiting: number; hash: string }>(
        `SELECT (SELECT count(*) FROM public.wallets)::integer AS made, (SELECT count(*) FROM accounts)::integer AS due,
           (SELECT count(*) FROM sql_changes)::integer AS waiting, md5(string_agg(w::text, ',' ORDER BY address)) AS hash FROM sql_wallets w`,
      );
      return rows[0]!;
    };
    const assertWhole = async (): Promise<void> => {
      const before = await wallets();
      expect(before).toMatchObject({ made: before.due, waiting: 0 });
      // migrate makes all wallets again.
      expect(await migrate('on')).toMatchObject({ code: 0 });
      expect(await wallets()).toEqual(before);
      const byIndex = await found(true);
      expect(byIndex.received).toMatch(/[1-9]\d/);
      expect(byIndex).toEqual(await found(false));
    };
    expect(await migrate('on')).toMatchObject({ code: 0 });
    for (const words of [
      ['sync'],
      ['snapshot', 'create', '--file', file],
      ['reset', '--yes'],
      ['snapshot', 'restore', '--file', file],
      ['rollback', '--to', '300', '--yes'],
      ['sync'],
    ]) {
      expect(await index.command(...words)).toMatchObject({ code: 0 });
      if (words.includes('sync') || words.includes('restore')) await assertWhole();
    }
    await rm(folder, { recursive: true });
  });

  it('may be watched by the indexer after the first run of migrate', async () => {
    const role = new IndexerRole('sql_indexer');
    const reader = `sql_first_${process.pid}`;
    const readers = { SQL_VIEWS: 'on', SQL_ROLE: reader, SQL_DATABASE_PASSWORD: 'secret' };
    index = await IndexUnderTest.create('postgres', { ...role.settings, ...readers });
    const { rows } = await index.pool.query(
      `SELECT has_function_privilege($1, 'roundhouse.end_long_statements()', 'EXECUTE') AS may`,
      [role.name],
    );
    await index.pool.query(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);
    await role.drop(index);
    expect(rows).toEqual([{ may: true }]);
  });
});
