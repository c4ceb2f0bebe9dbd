import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@roundhouse/local-postgres';
import {
  AppProcess,
  createEmptyDatabase,
  freePorts,
  recordingFile,
  type Ended,
  type TestDatabase,
} from '@roundhouse/testing';

const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);

const change = (database: TestDatabase, text: string): Promise<unknown> =>
  withClient(database.url, (client) => client.query(text));

const CHAIN = {
  BLOCK_SOURCE: `file:${recordingFile('core-2.4', 'chain.ndjson.gz')}`,
  NETWORK: recordingFile('core-2.4', 'network.json'),
};

const indexer = (command: readonly string[], DATABASE_URL: string): Promise<Ended> =>
  new AppProcess('indexer', command, { DATABASE_URL, HISTORY: 'full', ...CHAIN }).ended;

const startApi = async (DATABASE_URL: string): Promise<{ api: AppProcess; url: string; ready: string }> => {
  const [port, opsPort] = await freePorts(2);
  const settings = { DATABASE_URL, PORT: `${port}`, OPS_PORT: `${opsPort}`, READY_MAX_LAG: '1000000' };
  const [url, ready] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${opsPort}/health/ready`];
  return { api: new AppProcess('api', ['run'], settings), url, ready };
};

const FOREIGN = 'The database belongs to another program: name an empty one in DATABASE_URL.';

describe('a database with settings that we do not expect', () => {
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'roundhouse-odd-'));
    database = await createEmptyDatabase();
    const name = nameOf(database);
    await change(
      database,
      `ALTER DATABASE ${name} SET standard_conforming_strings = off;
       ALTER DATABASE ${name} SET search_path = trap, public;
       CREATE SCHEMA trap; CREATE SCHEMA postgres; CREATE TABLE trap.migrations (none integer)`,
    );
  });

  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is migrated, filled, verified, digested, exported, saved and rebuilt like any other', async () => {
    for (const command of [
      ['migrate'],
      ['sync'],
      ['status'],
      ['verify'],
      ['verify', '--from-genesis'],
      ['digest'],
      ['export', '--out', join(folder, 'chain.ndjson')],
      ['snapshot', 'create', '--file', join(folder, 'snapshot')],
      ['rebuild'],
    ])
      expect({ command, ...(await indexer(command, database.url)) }).toMatchObject({
        command,
        code: 0,
        stderr: '',
      });
    const tables = `SELECT table_schema AS schema, count(*)::integer AS count FROM information_schema.tables
      WHERE table_schema IN ('trap', 'postgres') GROUP BY 1`;
    const { rows } = await withClient(database.url, (client) => client.query(tables));
    expect(rows).toEqual([{ schema: 'trap', count: 1 }]);
  });

  it('is served', async () => {
    const { api, url, ready } = await startApi(database.url);
    await api.answers(ready);
    for (const path of [
      'blocks?limit=3',
      'transactions?limit=3',
      'delegates',
      'history/delegates?height=300',
    ])
      expect({ path, status: (await fetch(`${url}/api/${path}`)).status }).toEqual({ path, status: 200 });
    await api.stop();
  });

  it('refuses a URL with options that undo this', async () => {
    const url = `${database.url}?options=${encodeURIComponent('-c search_path=trap')}`;
    const ended = await indexer(['verify'], url);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('The search_path is trap: set it to roundhouse');
  });
});

describe('a database that cannot hold an index', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createEmptyDatabase()));
  afterAll(() => database.drop());

  const tables = async (): Promise<string[]> => {
    const text = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'";
    const { rows } = await withClient(database.url, (client) => client.query<{ relname: string }>(text));
    return rows.map(({ relname }) => relname);
  };

  it.each([
    'run',
    'sync',
    'verify',
    'rebuild',
    'rollback --to 1 --yes',
    'reset --yes',
    'digest',
    'digest --rounds 1',
    'export --out none',
    'snapshot create --file none',
  ])('is refused in one sentence as long as nobody has migrated it: %s', async (words) => {
    const { code, stderr } = await indexer(words.split(' '), database.url);
    expect(code).toBe(/^(verify|rebuild)/.test(words) ? 2 : 1);
    expect(stderr).toMatch(/^.*run "indexer migrate" first\.\n$/);
    expect(await tables()).toEqual([]);
  });

  it('is refused in one sentence if it is that of a node, and nothing is written', async () => {
    await change(database, 'CREATE TABLE blocks (id text)');
    for (const command of ['migrate', 'status', 'sync', 'digest', 'reset --yes']) {
      const { code, stderr } = await indexer(command.split(' '), database.url);
      expect({ command, code, stderr }).toEqual({ command, code: 1, stderr: `${FOREIGN}\n` });
    }
    const { code, stderr } = await (await startApi(database.url)).api.ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${FOREIGN}\n` });
    expect(await tables()).toEqual(['blocks']);
  });

  it('is refused if its encoding is not UTF8', async () => {
    const name = `${nameOf(database)}_latin`;
    await change(database, `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    const url = database.url.replace(nameOf(database), name);
    const { code, stderr } = await indexer(['migrate'], url);
    await change(database, `DROP DATABASE ${name} WITH (FORCE)`);
    expect(stderr).toContain('The database has the encoding LATIN1, but names need UTF8: create one with');
    expect(code).toBe(1);
  });
});
