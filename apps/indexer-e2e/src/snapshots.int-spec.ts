import { mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, IN_THIS_DATABASE } from '@roundhouse/testing';
import { generateChain } from './generated-chain.js';
import { IndexUnderTest } from './index-under-test.js';
import { indexer, IndexerProcess, type Ended } from './indexer-process.js';
import { IndexerRole } from './indexer-role.js';

const BLOCKS = 400;
/** Where the snapshot is made: in the middle of a round. */
const HEIGHT = 330;

describe('indexer snapshot', () => {
  const role = new IndexerRole('snapshot');
  const open: IndexUnderTest[] = [];
  let folder: string;
  let file: string;
  let chain: Record<string, string>;
  let original: IndexUnderTest;
  /** The digest of the original index at the snapshot's height. */
  let digest: string;

  const snapshot = (
    { environment }: Pick<IndexUnderTest, 'environment'>,
    ...words: string[]
  ): Promise<Ended> => indexer(['snapshot', ...words], environment);

  const emptyIndex = async (): Promise<IndexUnderTest> => {
    const index = await IndexUnderTest.create('postgres', chain);
    open.push(index);
    return index;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-snapshots-'));
    file = join(folder, 'chain.snapshot.tar');
    const [archive, network] = [join(folder, 'chain.ndjson'), join(folder, 'chain.json')];
    await generateChain({ archive, network, blocks: BLOCKS });
    chain = { BLOCK_SOURCE: `file:${archive}`, NETWORK: network };
    original = await IndexUnderTest.create('postgres', { ...chain, ...role.settings });
    const { code, stderr } = await indexer(['sync', '--to', String(HEIGHT)], original.environment);
    if (code !== 0) throw new Error(stderr);
    digest = await original.digest();
    const made = await snapshot({ environment: role.environmentOf(original) }, 'create', '--file', file);
    if (made.code !== 0) throw new Error(made.stderr);
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((index) => index.close()));
  });

  afterAll(async () => {
    await role.drop(original);
    await original.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is made by the role of the indexer, and shows what it is without a database', async () => {
    const { code, stdout } = await indexer(['snapshot', 'inspect', '--file', file], {});
    expect(code).toBe(0);
    const { rows } = await original.pool.query<{ digest: string; round: number }>(
      `SELECT encode(digest, 'hex') AS digest, round FROM round_digests ORDER BY round DESC LIMIT 1`,
    );
    expect(stdout).toMatch(new RegExp(`^head +${HEIGHT}, `, 'm'));
    expect(stdout).toMatch(new RegExp(`^digest +${rows[0]!.digest} +round ${rows[0]!.round}$`, 'm'));
    expect(stdout).toMatch(/^blocks +330 rows, 1 parts/m);
    const { stdout: json } = await indexer(['snapshot', 'inspect', '--file', file, '--json'], {});
    expect(JSON.parse(json)).toMatchObject({ head: { height: HEIGHT }, digest: { digest: rows[0]!.digest } });
  });

  it('is restored to an index with the same digests, which verify finds sound and which follows its source', async () => {
    const index = await emptyIndex();
    const { code, stdout, stderr } = await snapshot(index, 'restore', '--file', file);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^Restored block 330 \(\d+\) of .*digest [0-9a-f]{64} of round \d+\. An indexer continues/,
    );
    expect(await index.digest()).toBe(digest);
    expect((await indexer(['verify'], index.environment)).code).toBe(0);
    await index.reach(BLOCKS, index.run());
    expect((await indexer(['sync'], original.environment)).code).toBe(0);
    expect(await index.digest()).toBe(await original.digest());
  });

  it('is repeated after a kill -9', async () => {
    const index = await emptyIndex();
    // A reader keeps the last table from being emptied, so the restore hangs in the middle.
    const reader = await index.pool.connect();
    await reader.query('BEGIN; SELECT FROM transactions');
    const process = new IndexerProcess(['snapshot', 'restore', '--file', file], index.environment);
    const isWaiting = async (): Promise<boolean> =>
      (
        await reader.query(
          `SELECT FROM pg_locks WHERE NOT granted AND relation = 'transactions'::regclass AND ${IN_THIS_DATABASE}`,
        )
      ).rowCount! > 0;
    await eventually('the restore waits for the reader', isWaiting);
    const { signal } = await process.kill('SIGKILL');
    expect(signal).toBe('SIGKILL');
    // The server notices, although the statement still waits.
    await eventually('the server ends the restore', async () => !(await isWaiting()));
    await reader.query('ROLLBACK');
    reader.release();
    expect(await index.height()).toBe(0);
    expect((await snapshot(index, 'restore', '--file', file)).stderr).toBe('');
    expect(await index.digest()).toBe(digest);
  });

  it('is refused in one sentence, with exit code 1', async () => {
    const index = await emptyIndex();
    const refused = async (says: RegExp, environment: Record<string, string>, ...words: string[]) => {
      const { code, stdout, stderr } = await indexer(['snapshot', ...words], environment);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(says);
      expect(stderr).not.toMatch(/^\s+at /m);
    };
    const { environment } = index;
    const cut = join(folder, 'cut.tar');
    await indexer(['snapshot', 'create', '--file', cut], original.environment);
    await truncate(cut, (await stat(cut)).size - 2_000);
    await refused(/cut\.tar is truncated/, environment, 'restore', '--file', cut);
    await refused(/cut\.tar is truncated/, {}, 'inspect', '--file', cut);
    await refused(/The index is empty/, environment, 'create', '--file', join(folder, 'none.tar'));
    await refused(
      /but NETWORK \(.*\) has nethash/,
      { ...environment, NETWORK: 'mainnet' },
      'restore',
      '--file',
      file,
    );
    await refused(/is at height \d+ already/, original.environment, 'restore', '--file', file);
    await refused(/^Name the file:/, environment, 'restore');
    await refused(/Only the owner of the tables/, role.environmentOf(original), 'restore', '--file', file);
    expect(await index.height()).toBe(0);
  });

  it('is restored at a first start only, and only if SNAPSHOT names it', async () => {
    const index = await emptyIndex();
    const start = async (SNAPSHOT: string): Promise<Ended> =>
      indexer(['snapshot', 'restore', '--first-start'], { ...index.environment, SNAPSHOT });
    expect(await start('')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^SNAPSHOT is not set/) });
    expect(await index.height()).toBe(0);
    expect(await start(file)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Restored block 330/),
    });
    const again = { code: 0, stdout: expect.stringMatching(/^The index is at height 330 already/) };
    expect(await start(file)).toMatchObject(again);
    expect(await start(join(folder, 'absent.tar'))).toMatchObject(again);
  });
});
