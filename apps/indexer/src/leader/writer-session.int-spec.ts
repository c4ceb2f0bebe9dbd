import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, eventually, TcpProxy, type TestDatabase } from '@roundhouse/testing';
import { Client } from 'pg';
import { guardSession } from './writer-session.js';

const NEVER_MS = 2_000_000;
const LIMITS = {
  beatMs: 50,
  frozenMs: NEVER_MS,
  statementMs: NEVER_MS,
  lockMs: NEVER_MS,
  silentMs: NEVER_MS,
};

describe('the session of the writer', () => {
  let database: TestDatabase;
  let client: Client;
  let lost: Error | null;

  const open = async (url: string): Promise<void> => {
    client = new Client({ connectionString: url });
    lost = null;
    client.on('error', (error) => (lost ??= error));
    await client.connect();
  };

  beforeEach(async () => {
    database = await createEmptyDatabase();
  });

  afterEach(async () => {
    await client.end().catch(() => undefined);
    await database.drop();
  });

  it.each([
    ['between two batches', 'SELECT'],
    ['during a batch', 'BEGIN'],
  ])('is ended by the server if the process freezes %s', async (_, statement) => {
    await open(database.url);
    await guardSession(client, { ...LIMITS, beatMs: NEVER_MS, frozenMs: 2_000 });
    await client.query(statement);
    await eventually('the session is ended', () => lost !== null);
    expect(lost).toMatchObject({ code: expect.stringMatching(/^(57P05|25P03)$/) });
  });

  it('is kept by a process that is alive but has nothing to do', async () => {
    await open(database.url);
    await guardSession(client, { ...LIMITS, frozenMs: 5_000 });
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const watcher = new Client({ connectionString: database.url });
    await watcher.connect();
    const lastBeat = async (): Promise<Date> => {
      const activity = await watcher.query<{ query_start: Date }>(
        'SELECT query_start FROM pg_stat_activity WHERE pid = $1',
        [rows[0]!.pid],
      );
      return activity.rows[0]!.query_start;
    };
    const first = await lastBeat();
    await eventually('it shows that it is alive', async () => (await lastBeat()) > first);
    expect(lost).toBeNull();
    await watcher.end();
  });

  it('is cut only if the server no longer answers', async () => {
    const proxy = await TcpProxy.before(database.url);
    await open(proxy.url);
    await guardSession(client, { ...LIMITS, silentMs: 500 });
    await wait(700);
    expect(lost).toBeNull();
    proxy.freeze();
    const asked = client.query('SELECT 1').catch((error: Error) => error.message);
    expect(await asked).toMatch(/terminated/);
    await proxy.close();
  });

  it('has time limits for statements and for locks', async () => {
    await open(database.url);
    await guardSession(client, { ...LIMITS, statementMs: 1_000 });
    await expect(client.query('SELECT pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    await guardSession(client, { ...LIMITS, lockMs: 100 });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query('CREATE TABLE held ()');
    await other.query('BEGIN; LOCK TABLE held');
    await expect(client.query('SELECT FROM held')).rejects.toMatchObject({ code: '55P03' });
    await other.end();
  });
});
