import { execFileSync } from 'node:child_process';
import { cp, stat, truncate, writeFile } from 'node:fs/promises';
import { eventually, IN_THIS_DATABASE } from '@roundhouse/testing';
import { GeneratedChain } from './generated-chain.js';
import { IndexUnderTest } from './index-under-test.js';
import { indexer, IndexerProcess, type Ended } from './indexer-process.js';
import { IndexerRole } from './indexer-role.js';

const BLOCKS = 400;

// Made by minisign, without a password.
const PUBLIC_KEY = 'RWSVCKKJqplUiz1B0XjnGRz2qMu4Xihk0kVUnRihtG9BHjMlZU/MYAAt';
const OTHER_KEY = 'RWSEdFuMmPqXdjFEVxJiwJoPhstY1a/R7SVnRbITdIIOWQpA55yqLril';
const SECRET_KEY = `untrusted comment: minisign encrypted secret key
RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlQiiiaqZVIvCern5WDIcP7I62l7iZY/a4m/oRsqSe5JCoEVk4SYcDj1B0XjnGRz2qMu4Xihk0kVUnRihtG9BHjMlZU/MYAAtAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
`;

/** Where the snapshot is made: in the middle of a round. */
const HEIGHT = 330;

describe('indexer snapshot', () => {
  const role = new IndexerRole('snapshot');
  const open: IndexUnderTest[] = [];
  let chain: GeneratedChain;
  let file: string;
  let original: IndexUnderTest;
  /** The digest of the original index at the snapshot's height. */
  let digest: string;

  const emptyIndex = async (): Promise<IndexUnderTest> => {
    const index = await IndexUnderTest.create('postgres', chain.settings());
    open.push(index);
    return index;
  };

  beforeAll(async () => {
    chain = await GeneratedChain.generate(BLOCKS);
    file = chain.file('chain.snapshot');
    const settings = { ...chain.settings(), ...role.settings };
    original = await IndexUnderTest.synced(settings, '--to', String(HEIGHT));
    digest = await original.digest();
    const key = chain.file('minisign.key');
    await writeFile(key, SECRET_KEY);
    const made = await indexer(
      ['snapshot', 'create', '--file', file, '--sign', key],
      role.environmentOf(original),
    );
    if (made.code !== 0) throw new Error(made.stderr);
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((index) => index.close()));
  });

  afterAll(async () => {
    await role.drop(original);
    await original.close();
    await chain.remove();
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
    expect(stdout).toMatch(/^signed +by the key 8B5499AA89A20895, not checked/m);
    const { stdout: json } = await indexer(['snapshot', 'inspect', '--file', file, '--json'], {});
    expect(JSON.parse(json)).toMatchObject({ head: { height: HEIGHT }, digest: { digest: rows[0]!.digest } });
  });

  it('is restored to an index with the same digests, which verify finds sound and which follows its source', async () => {
    const index = await emptyIndex();
    const { code, stdout, stderr } = await index.command(
      ...['snapshot', 'restore', '--file', file, '--trust', PUBLIC_KEY],
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^Restored block 330 \(\d+\) of .*digest [0-9a-f]{64} of round \d+\. An indexer continues/,
    );
    expect(await index.digest()).toBe(digest);
    expect((await index.command('verify')).code).toBe(0);
    await index.reach(BLOCKS, index.run());
    expect((await original.command('sync')).code).toBe(0);
    expect(await index.digest()).toBe(await original.digest());
  });

  it('is repeated after a kill -9, which the server notices although a statement waits', async () => {
    const index = await emptyIndex();
    // A reader keeps the last table from being emptied, so the restore hangs in the middle.
    const reader = await index.pool.connect();
    await reader.query('BEGIN; SELECT FROM transactions');
    const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'transactions'::regclass AND ${IN_THIS_DATABASE}`;
    const isWaiting = async (): Promise<boolean> => (await reader.query(waiting)).rowCount! > 0;
    const process = new IndexerProcess(['snapshot', 'restore', '--file', file], index.environment);
    await eventually('the restore waits for the reader', isWaiting);
    await process.kill('SIGKILL');
    await eventually('the server ends the restore', async () => !(await isWaiting()));
    await reader.query('ROLLBACK');
    reader.release();
    expect(await index.height()).toBe(0);
    expect((await index.command('snapshot', 'restore', '--file', file)).stderr).toBe('');
    expect(await index.digest()).toBe(digest);
  });

  it('is refused in one sentence, with exit code 1', async () => {
    const { environment } = await emptyIndex();
    const refused = async (says: RegExp, settings: Record<string, string>, ...words: string[]) => {
      const { code, stdout, stderr } = await indexer(['snapshot', ...words], settings);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(says);
      expect(stderr).not.toMatch(/^\s+at /m);
    };
    const [cut, whole] = [chain.file('cut.tar'), chain.file('whole.tar')];
    await refused(/^A snapshot is written into a folder/, environment, 'create', '--file', cut);
    await original.command('snapshot', 'create', '--file', chain.file('unsigned'));
    execFileSync('tar', ['-b1', '-cf', whole, '-C', chain.file('unsigned'), '.']);
    await cp(whole, cut);
    await truncate(cut, (await stat(cut)).size - 2_000);
    await refused(/cut\.tar is truncated/, environment, 'restore', '--file', cut);
    await refused(/cut\.tar is truncated/, {}, 'inspect', '--file', cut);
    await refused(/^Name the snapshot:/, environment, 'restore');
    const trusted = { ...environment, SNAPSHOT_PUBLIC_KEY: OTHER_KEY };
    await refused(/is signed by the key 8B5499AA89A20895, not by/, trusted, 'restore', '--file', file);
    await refused(/is not signed/, {}, 'inspect', '--file', whole, '--trust', PUBLIC_KEY);
    await refused(/^no-key cannot be read/, {}, 'inspect', '--file', file, '--trust', 'no-key');
    await refused(
      /^README.md is no secret key/,
      environment,
      'create',
      '--file',
      file,
      '--sign',
      'README.md',
    );
    await refused(/Only the owner of the tables/, role.environmentOf(original), 'restore', '--file', file);
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
    expect(await start(chain.file('absent.tar'))).toMatchObject(again);
  });
});
