import { readFile } from 'node:fs/promises';
import { GeneratedChain } from './generated-chain.js';
import { IndexUnderTest } from './index-under-test.js';
import { indexer, type Ended } from './indexer-process.js';
import { IndexerOnTerminal } from './on-terminal.js';

const BLOCKS = 1_150;
/** Far enough for blocks to be read directly from the archive. */
const TARGET = 1_100;
/** Leaves time to press Ctrl-C after the first fetched range. */
const SLOW_STAGING = `
CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(5); RETURN NEW; END $$;
CREATE TRIGGER dawdle BEFORE INSERT ON staged_ranges FOR EACH ROW
  WHEN (NEW.from_height > 100) EXECUTE FUNCTION dawdle()`;

/** The message depends on whether the block begins a range or lies within one. */
const brokenLinkAt = (height: number): RegExp =>
  new RegExp(
    `^(?:Block ${height} from file:.*: its previousBlock is \\d+, the block before it is \\d+\\.` +
      `|The archive .* cannot be used: the block on line ${height} links to \\d+, but the block on line ${height - 1} is \\d+\\.)`,
    'm',
  );

describe('indexer sync', () => {
  let chain: GeneratedChain;
  let lines: string[];
  let index: IndexUnderTest;

  /** The file of a network whose exceptions are all transactions of a line. */
  const excuseTransactions = async (line: string): Promise<string> => {
    const { transactions } = JSON.parse(line) as { readonly transactions: readonly { id: string }[] };
    const text = await readFile(chain.network, 'utf8');
    const { exceptions, ...rest } = JSON.parse(text) as { exceptions?: object };
    const excused = { ...exceptions, transactions: transactions.map(({ id }) => id) };
    return chain.write('excused.network.json', [JSON.stringify({ ...rest, exceptions: excused })]);
  };

  const open = async (name: string, changed: readonly string[], NETWORK = chain.network): Promise<void> => {
    const settings = chain.settings(await chain.write(name, changed));
    index = await IndexUnderTest.create('postgres', { ...settings, NETWORK });
  };

  const sync = (...options: string[]): Promise<Ended> => index.command('sync', ...options);

  beforeAll(async () => {
    chain = await GeneratedChain.generate(BLOCKS);
    lines = await chain.lines();
  });

  afterAll(() => chain.remove());

  it('ends at a height, or at the newest block, with the index of a source that ends there', async () => {
    index = await IndexUnderTest.create('postgres', chain.settings());
    const idOf = (height: number): string => (JSON.parse(lines[height - 1]!) as { id: string }).id;
    expect(await sync('--to', String(TARGET))).toMatchObject({
      code: 0,
      stdout: `The index is at block ${TARGET} (${idOf(TARGET)}), the last one asked for.\n`,
    });
    expect(await index.height()).toBe(TARGET);
    const short = await chain.write('short.ndjson', lines.slice(0, TARGET));
    const straight = await IndexUnderTest.synced(chain.settings(short));
    expect(await index.digest()).toBe(await straight.digest());
    await straight.close();
    expect(await sync('--to', '7')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The index is at height 1100 already: go back with "indexer rollback --to 7 --yes"/,
      ),
    });
    expect(await sync('--to', String(BLOCKS + 1))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is at height 1150: there is no block 1151 yet/),
    });
    expect(await sync()).toMatchObject({
      code: 0,
      stdout: `The index is at block ${BLOCKS} (${idOf(BLOCKS)}), the newest that file:${chain.archive} has.\n`,
    });
    const cut = await chain.write('cut.ndjson', [...lines, lines.at(-1)!.slice(0, 100)]);
    expect(await indexer(['sync'], { ...index.environment, ...chain.settings(cut) })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^The file has 100 bytes more, which are no whole line: it is still being/,
      ),
    });
    await index.run().untilLeading();
    expect(await sync()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^An indexer is writing to this database.* "indexer status --watch"/),
    });
    await index.close();
  });

  // What else may be wrong with a line: apps/indexer/src/bulk/prepare-pool.int-spec.ts.
  it.each<[string, number, number, (line: string) => string, RegExp]>([
    [
      'links to another block, if blocks are fetched',
      250,
      322,
      (line) => line.replace(/"previousBlock":"\d/, '"previousBlock":"'),
      brokenLinkAt(250),
    ],
    [
      'links to another block, if blocks are read from the file',
      1_110,
      BLOCKS,
      (line) => line.replace(/"previousBlock":"\d/, '"previousBlock":"'),
      brokenLinkAt(1_110),
    ],
  ])(
    'indexes everything below a block of the archive that %s, ends with an error, and continues when the archive is correct',
    async (_wrong, height, count, change, reason) => {
      const damaged = lines.slice(0, count);
      damaged[height - 1] = change(damaged[height - 1]!);
      await open('damaged.ndjson', damaged);
      const { code, stderr } = await sync();
      expect(stderr).toMatch(reason);
      expect(stderr).toMatch(
        new RegExp(`^Stopped at height ${height - 1}, the source is at ${count}: `, 'm'),
      );
      expect([code, await index.height()]).toEqual([1, height - 1]);
      await chain.write('damaged.ndjson', lines.slice(0, count));
      expect((await sync()).code).toBe(0);
      expect(await index.height()).toBe(count);
      await index.close();
    },
  );

  it.each([
    ['are fetched', 250, 322],
    ['are read from the file', 1_110, BLOCKS],
  ])(
    'indexes everything below a block that cannot be applied and ends with an error, if blocks %s',
    async (_, from, count) => {
      const damaged = lines.slice(0, count);
      const place = damaged.findIndex((line, at) => at >= from && line.includes('"type":0'));
      damaged[place] = damaged[place]!.replace('"type":0', '"type":7');
      // Without this exception the block would be refused for the transaction's id.
      const NETWORK = await excuseTransactions(damaged[place]);
      await open('unlawful.ndjson', damaged, NETWORK);
      const { code, stderr } = await sync();
      expect(stderr).toMatch(
        new RegExp(
          `^Block ${place + 1} cannot be applied: transaction \\w+ resigns \\w+, which is not a delegate\\.`,
          'm',
        ),
      );
      expect([code, await index.height()]).toEqual([1, place]);
      const { stdout } = await index.command('status');
      expect(stdout).toMatch(
        new RegExp(`^refused +Block ${place + 1} cannot be applied: .*given by file:`, 'm'),
      );
      await index.close();
    },
  );

  it('shows its progress on a terminal, stops at Ctrl-C with a consistent index, and continues from there', async () => {
    await open('part.ndjson', lines.slice(0, 322));
    await index.pool.query(SLOW_STAGING);
    const terminal = new IndexerOnTerminal(['sync'], { ...index.environment, FETCH_CONCURRENCY: '1' });
    await terminal.shows(/indexing \[█+░*\] \d+ % \| (1\d\d|2[0-4]\d) of 322 blocks \| \d+ blocks\/s/);
    terminal.pressCtrlC();
    const shown = await terminal.ended();
    expect(shown).toMatch(/Stopping: the current batch is committed first/);
    expect(shown).toMatch(
      /Stopped at height (1\d\d|2[0-4]\d), the source is at 322: the index is consistent\. The same command continues/,
    );
    expect(shown).toMatch(/exit code 130/);
    await index.pool.query('DROP TRIGGER dawdle ON staged_ranges');
    expect((await sync()).code).toBe(0);
    expect(await index.height()).toBe(322);
    expect((await index.command('verify')).code).toBe(0);
    await index.close();
  });
});
