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

  it.each<[string, string, () => Record<string, string>, RegExp]>([
    [
      'when variables are missing or bad, all at once',
      'run',
      () => ({ BLOCK_SOURCE: '', POLL_INTERVAL_MS: 'soon', VERIFY: 'never' }),
      /BLOCK_SOURCE: .*VERIFY: .*POLL_INTERVAL_MS: /,
    ],
    [
      'when the database cannot be reached',
      'run',
      () => ({ DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' }),
      /DATABASE_URL cannot be reached .*ECONNREFUSED/,
    ],
    [
      'when the database is not migrated',
      'run',
      () => ({ DATABASE_URL: empty.url }),
      /run "indexer migrate" first/,
    ],
    [
      'when Redis cannot be reached',
      'run',
      () => ({ REDIS_URL: 'redis://127.0.0.1:1' }),
      /REDIS_URL cannot be reached .*ECONNREFUSED/,
    ],
    [
      'when the source cannot be reached',
      'run',
      () => ({ BLOCK_SOURCE: 'http://127.0.0.1:1' }),
      /127\.0\.0\.1:1/,
    ],
    ['when the network is not known', 'run', () => ({ NETWORK: '' }), /set NETWORK/i],
    ['when the reset is not confirmed', 'reset', () => ({}), /indexer reset --yes/],
    [
      'when the source holds another chain than NETWORK names',
      'run',
      () => ({ NETWORK: 'mainnet' }),
      /holds another chain: .*the nethash of mainnet.* Correct NETWORK or BLOCK_SOURCE/,
    ],
  ])('%s', async (_, command, over, says) => {
    const { code, stderr } = await indexer([command], { ...index.environment, ...over() });
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

  it('when the database holds another chain', async () => {
    expect(await index.command('sync', '--to', '1')).toMatchObject({ code: 0 });
    const nethash = 'ab'.repeat(32);
    await index.pool.query('UPDATE network SET nethash = $1', [nethash]);
    const { code, stderr } = await index.command('run');
    expect(stderr).toContain(`The database holds the chain with nethash ${nethash}, but that of`);
    expect(stderr).toMatch(/name another DATABASE_URL, .* or empty the index with "indexer reset --yes"/);
    expect(code).toBe(1);
  });
});

it('run serves health and metrics; reset empties the index, but not while an indexer writes to it; migrate changes nothing the second time', async () => {
  const index = await IndexUnderTest.create('postgres', chain);
  const before = await index.digest();
  const run = index.run();
  await index.reach(RECORDED_HEAD, run);
  const get = (path: string): Promise<Response> => fetch(run.operationsUrl + path);
  expect((await get('/health/live')).status).toBe(200);
  await run.untilReady();
  expect(await (await get('/metrics')).text()).toMatch(/^roundhouse_blocks_applied_total 322$/m);
  expect(await index.command('reset', '--yes')).toMatchObject({
    code: 1,
    stderr: 'An indexer is writing to this database: stop it first.\n',
  });
  expect(await index.digest()).not.toBe(before);
  await run.kill('SIGTERM');
  expect(await index.command('reset', '--yes')).toMatchObject({ code: 0, stderr: '' });
  expect(await index.digest()).toBe(before);
  const migrated = await index.command('migrate');
  expect(migrated).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' });
  await index.close();
});
