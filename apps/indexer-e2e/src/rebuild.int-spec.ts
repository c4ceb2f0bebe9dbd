import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IndexUnderTest } from './index-under-test.js';
import { indexer, type Ended } from './indexer-process.js';
import { IndexerRole } from './indexer-role.js';
import { RECORDED_HEAD, recording } from './recording.js';

const role = new IndexerRole('rebuilder');

describe('indexer rebuild, on a chain of a real node', () => {
  let index: IndexUnderTest;
  /** Under the indexer's role, which cannot change the schema. */
  let environment: Record<string, string>;
  let sound: string;

  const run = (...command: string[]): Promise<Ended> => indexer(command, environment);

  beforeAll(async () => {
    index = await IndexUnderTest.create('postgres', {
      ...recording('core-3.9'),
      ...role.settings,
    });
    environment = role.environmentOf(index);
  });

  afterAll(async () => {
    await role.drop(index);
    await index.close();
  });

  const tamper = async (): Promise<void> => {
    await index.pool.query('UPDATE accounts SET balance = balance + 1');
    await index.pool.query('DELETE FROM delegates WHERE weight = 0');
    await index.pool.query('UPDATE rounds SET forging_order = forging_order[2:] || forging_order[1]');
  };

  it('is refused while an indexer writes, and writes nothing to a sound index', async () => {
    const indexing = index.run();
    await index.reach(RECORDED_HEAD, indexing);
    expect(await run('rebuild')).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: expect.stringMatching(
        /^An indexer is writing to this database: stop all of them first/,
      ) as string,
    });
    await indexing.kill('SIGTERM');
    sound = await index.digest();
    expect(await run('rebuild')).toEqual({
      code: 0,
      signal: null,
      stdout: expect.stringMatching(
        /^Rebuilt from 322 blocks up to \d+: nothing differed, nothing was written\.\n$/,
      ) as string,
      stderr: '',
    });
  });

  it('takes customTypes from NETWORK, which must be of the same chain', async () => {
    expect(await indexer(['rebuild'], { ...environment, NETWORK: 'mainnet' })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^The database holds the chain with nethash d9acd04b.*, but that of mainnet is/,
      ),
    });
    const { NETWORK: own } = recording('core-3.9');
    const customTypes = [{ typeGroup: 7, type: 0, moves: 'transfer' }];
    const folder = await mkdtemp(join(tmpdir(), 'roundhouse-rebuild-'));
    const changed = join(folder, 'network.json');
    await writeFile(
      changed,
      JSON.stringify({ ...(JSON.parse(await readFile(own, 'utf8')) as object), customTypes }),
    );
    for (const [NETWORK, stored] of [
      [changed, customTypes],
      [own, null],
    ] as const) {
      expect(await indexer(['rebuild'], { ...environment, NETWORK })).toMatchObject({ code: 0 });
      const { rows } = await index.pool.query(`SELECT configuration -> 'customTypes' AS types FROM network`);
      expect(rows).toEqual([{ types: stored }]);
    }
    await rm(folder, { recursive: true });
    expect(await index.digest()).toBe(sound);
  });

  it('corrects the tables, and says what differed', async () => {
    await tamper();
    const ended = await run('rebuild');
    expect(ended.code).toBe(0);
    expect(ended.stdout.split('\n')).toEqual([
      expect.stringMatching(/^accounts: \d+ rows deleted, \d+ inserted$/),
      expect.stringMatching(/^delegates: 0 rows deleted, \d+ inserted$/),
      expect.stringMatching(/^rounds: \d+ rows deleted, \d+ inserted$/),
      expect.stringMatching(
        /^Rebuilt from 322 blocks .*: what differed is corrected, and served from now on\.$/,
      ),
      '',
    ]);
    expect(await index.digest()).toBe(sound);
  });

  it('names the damaged block, and its advice leads back to a sound index', async () => {
    await index.pool.query(`UPDATE blocks SET total_fee = coalesce(total_fee, 0) + 1 WHERE height = 200`);
    await tamper();
    const { code, stdout } = await run('rebuild');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^block 200: its id is \d+, but its contents give \d+\nThe stored blocks are damaged, so nothing was changed/,
    );
    const [advice] = /rollback --to \d+ --yes/.exec(stdout)!;
    expect(advice).toBe('rollback --to 199 --yes');
    expect(await run(...advice.split(' '))).toMatchObject({ code: 0 });
    expect(await run('rebuild')).toMatchObject({ code: 0 });
    expect(await run('sync')).toMatchObject({ code: 0 });
    expect(await index.digest()).toBe(sound);
    expect(await run('verify')).toMatchObject({ code: 0 });
  });

  it('creates the digests of rounds that "indexer digest" prints', async () => {
    const { stdout } = await run('digest', '--rounds', '3');
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(3);
    const [, digest, round] = /^([0-9a-f]{64}) {2}round (\d+) height \d+$/.exec(lines[2]!)!;
    const { stdout: one } = await run('digest', '--at', round!);
    expect(one.split('\n')).toEqual([
      `${digest}  round ${round} height ${Number(round) * 51}`,
      expect.stringMatching(/^[0-9a-f]{32} {2}accounts$/),
      expect.stringMatching(/^[0-9a-f]{32} {2}delegates$/),
      expect.stringMatching(/^[0-9a-f]{32} {2}locks$/),
      '',
    ]);
    expect(await run('digest', '--at', '1000')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no digest of round 1000: it has not ended yet/) as string,
    });
  });
});
