import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createEmptyDatabase, type TestDatabase } from '@roundhouse/testing';
import { IndexUnderTest } from './index-under-test.js';
import { indexer } from './indexer-process.js';
import { RECORDED_HEAD, recording } from './recording.js';

const chain = recording('core-3.9');

describe('an operator is told in one sentence what to do', () => {
  let empty: TestDatabase;
  let index: IndexUnderTest;

  beforeAll(async () => {
    empty = await createEmptyDatabase();
    index = await IndexUnderTest.create('postgres', chain);
  });

  afterAll(async () => {
    await index.close();
    await empty.drop();
  });

  const cases: {
    name: string;
    command?: string[];
    over: () => Record<string, string> | Promise<Record<string, string>>;
    says: RegExp;
  }[] = [
    {
      name: 'when variables are missing or bad, all at once',
      over: () => ({ BLOCK_SOURCE: '', POLL_INTERVAL_MS: 'soon', VERIFY: 'never' }),
      says: /BLOCK_SOURCE: .*VERIFY: .*POLL_INTERVAL_MS: /,
    },
    {
      name: 'when the database cannot be reached',
      over: () => ({ DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' }),
      says: /DATABASE_URL cannot be reached .*ECONNREFUSED/,
    },
    {
      name: 'when the database is not migrated',
      over: () => ({ DATABASE_URL: empty.url }),
      says: /run "indexer migrate" first/,
    },
    {
      name: 'when Redis cannot be reached',
      over: () => ({ REDIS_URL: 'redis://127.0.0.1:1' }),
      says: /REDIS_URL cannot be reached .*ECONNREFUSED/,
    },
    {
      name: 'when the source cannot be reached',
      over: () => ({ BLOCK_SOURCE: 'http://127.0.0.1:1' }),
      says: /127\.0\.0\.1:1/,
    },
    {
      name: 'when the archive is not there',
      over: () => ({ BLOCK_SOURCE: 'file:/no/such/archive.ndjson' }),
      says: /\/no\/such\/archive\.ndjson/,
    },
    {
      name: 'when the network is not known',
      over: () => ({ NETWORK: '' }),
      says: /set NETWORK/i,
    },
    {
      name: 'when a command does not exist',
      command: ['roll'],
      over: () => ({}),
      says: /There is no command "roll"/,
    },
    {
      name: 'when the reset is not confirmed',
      command: ['reset'],
      over: () => ({}),
      says: /indexer reset --yes/,
    },
  ];

  it.each(cases)('$name', async ({ command = ['run'], over, says }) => {
    const { code, stderr } = await indexer(command, { ...index.environment, ...(await over()) });
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(1);
  });

  it('when the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await indexer(['run'], { ...index.environment, OPS_PORT: String(port) });
    other.close();
    expect(stderr).toMatch(new RegExp(`^OPS_PORT ${port} is in use`));
    expect(code).toBe(1);
  });

  it('when the source holds another chain than NETWORK names', async () => {
    const { code, stderr } = await indexer(['run'], { ...index.environment, NETWORK: 'mainnet' });
    expect(stderr).toMatch(/holds another chain: .*the nethash of mainnet.* Correct NETWORK or BLOCK_SOURCE/);
    expect(code).toBe(1);
  });

  it('when the database holds another chain', async () => {
    const run = index.run();
    await index.reach(1, run);
    await run.kill('SIGTERM');
    const nethash = 'ab'.repeat(32);
    await index.pool.query('UPDATE network SET nethash = $1', [nethash]);
    const { code, stderr } = await indexer(['run'], index.environment);
    expect(stderr).toContain(`The database holds the chain with nethash ${nethash}, but the source's`);
    expect(stderr).toMatch(/name another DATABASE_URL, .* or empty the index with "indexer reset --yes"/);
    expect(code).toBe(1);
  });
});

describe('the commands', () => {
  let index: IndexUnderTest;

  beforeEach(async () => {
    index = await IndexUnderTest.create('postgres', chain);
  });

  afterEach(() => index.close());

  it('migrate can be run again and then changes nothing', async () => {
    const { code, stdout } = await indexer(['migrate'], index.environment);
    expect(stdout).toBe('The schema is up to date.\n');
    expect(code).toBe(0);
  });

  it('reset empties the index, but not while an indexer writes to it', async () => {
    const before = await index.digest();
    const run = index.run();
    await index.reach(RECORDED_HEAD, run);
    const refused = await indexer(['reset', '--yes'], index.environment);
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'An indexer is writing to this database: stop it first.\n',
    });
    expect(await index.digest()).not.toBe(before);
    await run.kill('SIGTERM');
    expect(await indexer(['reset', '--yes'], index.environment)).toMatchObject({ code: 0, stderr: '' });
    expect(await index.digest()).toBe(before);
  });

  it('run serves health and metrics', async () => {
    const run = index.run();
    await index.reach(RECORDED_HEAD, run);
    const get = (path: string): Promise<Response> => fetch(run.operationsUrl + path);
    expect((await get('/health/live')).status).toBe(200);
    await run.untilReady();
    expect(await (await get('/metrics')).text()).toMatch(/^roundhouse_blocks_applied_total 322$/m);
  });
});
