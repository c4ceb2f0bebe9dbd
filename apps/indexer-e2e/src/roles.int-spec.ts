import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { IndexUnderTest } from './index-under-test.js';
import { indexer, type Ended } from './indexer-process.js';
import { RECORDED_HEAD, recording } from './recording.js';

const suffix = randomBytes(4).toString('hex');
const API = `api_${suffix}`;
const INDEXER = `indexer_${suffix}`;

const as = (url: string, role: string, password: string): string => {
  const changed = new URL(url);
  changed.username = role;
  changed.password = password;
  return changed.toString();
};

describe('indexer migrate with roles, the queues in PostgreSQL', () => {
  let folder: string;
  let index: IndexUnderTest;
  let ownerUrl: string;
  let migrated: Ended;

  const migrate = (over: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    indexer(['migrate'], { ...index.environment, DATABASE_URL: ownerUrl, ...over });

  const asIndexer = (): Record<string, string> => ({
    ...index.environment,
    DATABASE_URL: as(ownerUrl, INDEXER, 'indexer-secret'),
  });

  const queryAs = async (role: string, password: string, sql: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: as(ownerUrl, role, password) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-roles-'));
    await writeFile(join(folder, 'indexer-password'), 'indexer-secret\n');
    index = await IndexUnderTest.create('postgres', {
      ...recording('core-3.9'),
      API_ROLE: API,
      API_DATABASE_PASSWORD: 'api-secret',
      INDEXER_ROLE: INDEXER,
      INDEXER_DATABASE_PASSWORD_FILE: join(folder, 'indexer-password'),
    });
    ownerUrl = index.environment['DATABASE_URL']!;
    migrated = await migrate();
  });

  afterAll(async () => {
    await index.close();
    const server = new URL(ownerUrl);
    server.pathname = '/postgres';
    const client = new Client({ connectionString: server.toString() });
    await client.connect();
    await client.query(`DROP ROLE ${API}, ${INDEXER}`);
    await client.end();
    await rm(folder, { recursive: true });
  });

  it('can be run again, names the roles and never a password', () => {
    expect(migrated).toEqual({
      code: 0,
      signal: null,
      stdout: `The schema is up to date.\nThe roles are up to date: ${API}, ${INDEXER}.\n`,
      stderr: '',
    });
  });

  it('lets the indexer index a whole chain, digest it and empty it again', async () => {
    const running = index.run(asIndexer());
    await index.reach(RECORDED_HEAD, running);
    expect((await running.kill('SIGTERM')).code).toBe(0);
    const digest = await indexer(['digest'], asIndexer());
    expect(digest.stdout).toBe(await index.digest());
    expect(await indexer(['reset', '--yes'], asIndexer())).toMatchObject({ code: 0, stderr: '' });
    expect(await index.height()).toBe(0);
  });

  it.each([
    ['make a table among the queues', 'CREATE TABLE bullmq.mine (id integer)'],
    ['change a table of the queues', 'ALTER TABLE bullmq.job ADD COLUMN mine integer'],
    ['pretend that the queues are of another version', 'UPDATE bullmq.migration SET min_client_version = 99'],
  ])('does not let the indexer %s', async (_what, sql) => {
    await expect(queryAs(INDEXER, 'indexer-secret', sql)).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    ['run "indexer migrate"', ['migrate']],
    ['empty the index', ['reset', '--yes']],
  ])('does not let the api %s', async (_what, command) => {
    const { code, stderr } = await indexer(command, {
      ...recording('core-3.9'),
      DATABASE_URL: as(ownerUrl, API, 'api-secret'),
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/permission denied|read-only transaction/);
  });

  it('does not let the api see the queues', async () => {
    await expect(queryAs(API, 'api-secret', 'SELECT * FROM bullmq.job')).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('changes a password when another one is given', async () => {
    expect((await migrate({ API_DATABASE_PASSWORD: 'changed' })).code).toBe(0);
    await expect(queryAs(API, 'api-secret', 'SELECT')).rejects.toThrow('password authentication failed');
    expect(await queryAs(API, 'changed', 'SELECT count(*)::int AS heads FROM head')).toEqual([{ heads: 0 }]);
  });

  it('says what is wrong with the name of a role', async () => {
    const { code, stderr } = await migrate({ API_ROLE: 'Api; DROP' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The settings cannot be used: API_ROLE: it must be a name/);
  });
});
