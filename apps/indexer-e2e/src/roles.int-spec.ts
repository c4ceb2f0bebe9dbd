import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { IndexUnderTest } from './index-under-test.js';
import { indexer, type Ended } from './indexer-process.js';
import { recording } from './recording.js';

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

  it.each([
    ['indexer', 'make a table among the queues', 'CREATE TABLE bullmq.mine (id integer)'],
    ['indexer', 'change a table of the queues', 'ALTER TABLE bullmq.job ADD COLUMN mine integer'],
    ['indexer', 'say that they are of another version', 'UPDATE bullmq.migration SET min_client_version = 9'],
    ['api', 'see the queues', 'SELECT * FROM bullmq.job'],
  ])('does not let the %s %s', async (app, _, sql) => {
    const [role, password] = app === 'api' ? [API, 'api-secret'] : [INDEXER, 'indexer-secret'];
    const client = new Client({ connectionString: as(ownerUrl, role, password) });
    await client.connect();
    await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
    await client.end();
  });

  it('grants rights to roles of an administrator, if the owner may not create roles and knows their passwords', async () => {
    const plain = `plain_${suffix}`;
    const server = new URL(ownerUrl);
    server.pathname = '/postgres';
    const admin = new Client({ connectionString: server.toString() });
    await admin.connect();
    await admin.query(`CREATE ROLE ${plain} LOGIN PASSWORD 'plain-secret'`);
    await admin.query(`CREATE DATABASE ${plain} OWNER ${plain} TEMPLATE template0 ENCODING 'UTF8'`);
    server.pathname = `/${plain}`;
    const DATABASE_URL = as(server.toString(), plain, 'plain-secret');
    const { code, stdout } = await migrate({ DATABASE_URL });
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`The roles are up to date: ${API}, ${INDEXER}.`),
    ]);
    const client = new Client({ connectionString: as(DATABASE_URL, API, 'api-secret') });
    await client.connect();
    expect((await client.query('SELECT * FROM roundhouse.head')).rows).toEqual([]);
    await client.end();
    const other = await migrate({ DATABASE_URL, API_DATABASE_PASSWORD: 'another' });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('CREATEROLE')]);
    await admin.query(`DROP DATABASE ${plain} WITH (FORCE)`);
    await admin.query(`DROP ROLE ${plain}`);
    await admin.end();
  });

  it('says what is wrong with the name of a role', async () => {
    const { code, stderr } = await migrate({ API_ROLE: 'Api; DROP' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The settings cannot be used: API_ROLE: it must be a name/);
  });
});
