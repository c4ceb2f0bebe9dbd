import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { AppProcess } from '../programs/app-process.js';
import { INDEXER_TEMPLATE, TEMPLATE_DATABASE, withDatabase } from './database-url.js';

export interface TestDatabase {
  readonly url: string;
  /** Ends the sessions that are still open in it, too. */
  drop(): Promise<void>;
}

const serverUrl = (): string => {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined)
    throw new Error('No test server: run the tests by the root jest.config.js, which starts one.');
  return url;
};

const onServer = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

/** For how long a session that is on its way out may take. */
const LEAVE_WITHIN_MS = 500;

const COUNT_SESSIONS = `SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE datname = $1`;

/** A pool's end is not waited for by the pool: a session that is cut off then fails whoever is not told of errors. */
const sessionsLeave = async (client: pg.Client, database: string): Promise<void> => {
  const giveUpAt = performance.now() + LEAVE_WITHIN_MS;
  while (performance.now() < giveUpAt) {
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

/** A database of its own with the index's tables, empty. */
export const createTestDatabase = (): Promise<TestDatabase> => create(TEMPLATE_DATABASE);

/** Where two workers come at once, the second waits for the first. */
const makeIndexerTemplate = (): Promise<void> =>
  onServer(async (client) => {
    await client.query(`SELECT pg_advisory_lock(hashtext('${INDEXER_TEMPLATE}'))`);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [INDEXER_TEMPLATE]);
    if (rowCount === 1) return;
    const { url, name } = await create('template0');
    const { code, stderr } = await new AppProcess('indexer', ['migrate'], { DATABASE_URL: url }).ended;
    if (code !== 0) throw new Error(stderr);
    await client.query(`ALTER DATABASE ${name} RENAME TO ${INDEXER_TEMPLATE}`);
  });

let indexerTemplate: Promise<void> | undefined;

/** A database of its own as `indexer migrate` leaves it: with the tables of the queues, too. */
export const createIndexerDatabase = async (): Promise<TestDatabase> => {
  await (indexerTemplate ??= makeIndexerTemplate());
  return create(INDEXER_TEMPLATE);
};

/** A database of its own with nothing in it. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('template0');
