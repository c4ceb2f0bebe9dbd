import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { runApp, withClient, withDatabase } from '@roundhouse/local-postgres';
import type pg from 'pg';

/** Migrated once per run. Nothing connects to it: a database with a session cannot be cloned. */
export const TEMPLATE_DATABASE = 'index_template';

/** The same, with the queue tables. */
const INDEXER_TEMPLATE = 'indexer_template';

export interface TestDatabase {
  readonly url: string;
  /** Drops the database and ends the sessions that are still open in it. */
  drop(): Promise<void>;
}

const serverUrl = (): string => {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined)
    throw new Error('No test server: run the tests by the root jest.config.js, which starts one.');
  return url;
};

const onServer = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  await withClient(serverUrl(), work);
};

/** How often to look whether closing sessions have ended. Looks are counted, not time: this process may stall. */
const LOOKS = 100;

const COUNT_SESSIONS = `SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE datname = $1`;

/**
 * Waits until the sessions of ended pools are closed, because `end` of a pool does not wait for that. If a session were
 * cut off, a pool without an error handler would fail.
 */
const sessionsLeave = async (client: pg.Client, database: string): Promise<void> => {
  for (let look = 0; look < LOOKS; look += 1) {
    const { rows } = await client.query<{ sessions: number }>(COUNT_SESSIONS, [database]);
    if (rows[0]?.sessions === 0) return;
    await wait(10);
  }
};

const create = async (template: string): Promise<TestDatabase & { readonly name: string }> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    name,
    url: withDatabase(serverUrl(), name),
    drop: () =>
      onServer(async (client) => {
        await sessionsLeave(client, name);
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
};

/** Creates a separate, empty database with the index's tables. */
export const createTestDatabase = (): Promise<TestDatabase> => create(TEMPLATE_DATABASE);

/** If two workers do this at once, the second waits for the first. */
const makeTemplate = (name: string, from: string, fill: (url: string) => Promise<unknown>): Promise<void> =>
  onServer(async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 1) return;
    const filling = await create(from);
    await fill(filling.url);
    await sessionsLeave(client, filling.name);
    await client.query(`ALTER DATABASE ${filling.name} RENAME TO ${name}`);
  });

/** By the name of the database. */
const templates = new Map<string, Promise<void>>();

/** Creates a separate copy of the database `template`, which `fill` makes of a copy of `from`, once per run. */
export const createFilledDatabase = async (
  template: string,
  fill: (url: string) => Promise<unknown>,
  from = TEMPLATE_DATABASE,
): Promise<TestDatabase> => {
  const made = templates.get(template) ?? makeTemplate(template, from, fill);
  templates.set(template, made);
  await made;
  return create(template);
};

/** Creates a separate database as `indexer migrate` leaves it, including the queue tables. */
export const createIndexerDatabase = (): Promise<TestDatabase> =>
  createFilledDatabase(
    INDEXER_TEMPLATE,
    (url) => runApp('indexer', ['migrate'], { DATABASE_URL: url }),
    'template0',
  );

/** Creates a copy of a database that nobody is connected to. */
export const copyTestDatabase = ({ url }: TestDatabase): Promise<TestDatabase> =>
  create(new URL(url).pathname.slice(1));

/** Creates a separate database with nothing in it. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('template0');
