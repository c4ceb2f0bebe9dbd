import { setTimeout as wait } from 'node:timers/promises';
import { createBlockSource, loadNetwork, type BlockSource } from '@roundhouse/source';
import { loadCoreDatabase, startTlsTestServers, type TlsTestServers } from '@roundhouse/testing';
import { Client } from 'pg';
import { indexer, IndexerProcess } from './indexer-process.js';
import { RECORDED_HEAD, recording } from './recording.js';

type Environment = Readonly<Record<string, string>>;

const chain = recording('core-3.9');

const INDEXER = 'tls_indexer';

let servers: TlsTestServers;
let databaseUrl: string;

beforeAll(async () => {
  servers = await startTlsTestServers();
  databaseUrl = await servers.createDatabase();
});

afterAll(() => servers.stop());

const verified = (url: string): string => `${url}?sslmode=verify-full&sslrootcert=${servers.files.authority}`;

const withClientCertificate = (url: string): string =>
  `${url}&sslcert=${servers.files.clientCertificate}&sslkey=${servers.files.clientKey}`;

/** Returns the settings of `indexer` for a database that `indexer migrate` has set up. */
const migrated = async (url: string, roles: Environment = {}): Promise<Environment> => {
  const environment = { ...chain, DATABASE_URL: url };
  expect(await indexer(['migrate'], { ...environment, ...roles })).toMatchObject({ code: 0, stderr: '' });
  return environment;
};

/** Indexes the whole recording and returns what `look` sees while the indexer still runs. */
const indexAll = async <T>(environment: Environment, look: (client: Client) => Promise<T>): Promise<T> => {
  const run = new IndexerProcess(['run'], environment);
  const client = new Client({ connectionString: environment['DATABASE_URL']! });
  await client.connect();
  try {
    const ended = run.ended.then(({ stderr, stdout }) => Promise.reject(new Error(stderr || stdout)));
    ended.catch(() => undefined);
    for (let height = 0; height < RECORDED_HEAD; await wait(20)) {
      const heads = client.query<{ height: number }>('SELECT height FROM head');
      height = (await Promise.race([heads, ended])).rows[0]?.height ?? 0;
    }
    return await look(client);
  } finally {
    await client.end();
    expect(await run.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  }
};

const SELECT_SESSIONS = `
  SELECT DISTINCT application_name AS name, ssl AS "isEncrypted" FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
  WHERE datname = current_database() AND application_name LIKE 'roundhouse%' ORDER BY 1`;

const encrypted = (...names: string[]): object[] => names.map((name) => ({ name, isEncrypted: true }));

describe('with servers that accept only encrypted connections', () => {
  it('every session of the indexer is encrypted, under a role of its own, with the queues in PostgreSQL', async () => {
    const url = verified(await servers.createDatabase());
    const owner = await migrated(url, { INDEXER_ROLE: INDEXER, INDEXER_DATABASE_PASSWORD: 'secret' });
    const asIndexer = new URL(url);
    asIndexer.username = INDEXER;
    asIndexer.password = 'secret';
    const sessions = await indexAll({ ...owner, DATABASE_URL: asIndexer.href }, async (client) => {
      return (await client.query<object>(SELECT_SESSIONS)).rows;
    });
    expect(sessions).toEqual(encrypted('roundhouse-indexer', 'roundhouse-queues', 'roundhouse-writer'));
    const digest = await indexer(['digest'], owner);
    expect(digest).toMatchObject({ code: 0, stderr: '' });
    expect(digest.stdout).toMatch(/^([0-9a-f]{64} {2}\w+\n)+$/);
    expect(await indexer(['reset', '--yes'], owner)).toMatchObject({ code: 0, stderr: '' });
  });

  it('reads blocks from the encrypted database of a node, with the queues in Redis if there is one', async () => {
    const nodeUrl = verified(await servers.createDatabase());
    await loadCoreDatabase(nodeUrl, 'core-3.9');
    const url = await servers.createDatabase();
    const environment = await migrated(`${url}?sslmode=verify-ca&sslrootcert=${servers.files.authority}`);
    // The URL names no authority: Node.js is told which one to trust.
    const authority = { NODE_EXTRA_CA_CERTS: servers.files.authority, REDIS_URL: servers.redisUrl ?? '' };
    await indexAll({ ...environment, ...authority, BLOCK_SOURCE: nodeUrl }, async () => undefined);
  });

  it('presents a client certificate if the database asks for one', async () => {
    const url = verified(await servers.createDatabase('client certificate'));
    await migrated(withClientCertificate(url));
    const { code, stderr } = await indexer(['migrate'], { DATABASE_URL: url });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^DATABASE_URL .* add sslcert=\/path and sslkey=\/path to the URL\.\n$/);
  });
});

describe('an operator is told in one sentence what to do', () => {
  it.each<[string, () => string, RegExp]>([
    [
      'when the database has another authority',
      () => `${databaseUrl}?sslmode=verify-full&sslrootcert=${servers.files.otherAuthority}`,
      /^DATABASE_URL cannot be reached \(.*certificate.*\): name the certificate of the server's authority in the URL/,
    ],
    [
      'when the database accepts only encrypted connections',
      () => databaseUrl,
      /^DATABASE_URL cannot be reached \(.*no encryption\): the server accepts only encrypted connections: add sslmode/,
    ],
    [
      'when the database takes no encrypted connections',
      () => `${process.env['TEST_DATABASE_URL']}?sslmode=require`,
      /^DATABASE_URL cannot be reached \(.*not support SSL connections\): turn TLS on in the server/,
    ],
  ])('%s', async (_name, url, says) => {
    const { code, stdout, stderr } = await indexer(['digest'], { DATABASE_URL: url() });
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(says) });
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  const open = async (urls: string): Promise<BlockSource> =>
    createBlockSource({ urls, network: await loadNetwork(chain.NETWORK) });

  it('when the database of a node has another authority, or its file is not there', async () => {
    const source = await open(
      `${databaseUrl}?sslmode=verify-full&sslrootcert=${servers.files.otherAuthority}`,
    );
    await expect(source.tip()).rejects.toThrow(
      /^postgres:\/\/127\.0\.0\.1:\d+\/index_\d+ .*: name the certificate of the server's authority/,
    );
    await source.close();
    await expect(open(`${databaseUrl}?sslmode=verify-full&sslrootcert=/no/such.pem`)).rejects.toThrow(
      /^BLOCK_SOURCE .* its sslrootcert names \/no\/such\.pem/,
    );
  });
});
