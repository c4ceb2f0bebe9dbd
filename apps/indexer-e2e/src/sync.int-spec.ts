import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { generateChain } from './generated-chain.js';
import { IndexUnderTest } from './index-under-test.js';
import { indexer, type Ended } from './indexer-process.js';
import { IndexerOnTerminal } from './on-terminal.js';

jest.setTimeout(240_000);

const BLOCKS = 1_400;
/** Far enough for blocks to be read straight from the archive. */
const TARGET = 1_200;
/** Behind the first range that is fetched. */
const DAMAGED = 250;

describe('indexer sync', () => {
  let folder: string;
  let archive: string;
  let network: string;
  let lines: string[];
  let index: IndexUnderTest;

  const settings = (file: string) => ({ BLOCK_SOURCE: `file:${file}`, NETWORK: network });

  const part = async (name: string, changed: readonly string[]): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, changed.join(''));
    return file;
  };

  const sync = (...options: string[]): Promise<Ended> => indexer(['sync', ...options], index.environment);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-sync-'));
    archive = join(folder, 'chain.ndjson');
    network = join(folder, 'chain.network.json');
    await generateChain({ archive, network, blocks: BLOCKS });
    lines = (await readFile(archive, 'utf8')).split(/(?<=\n)/);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('ends at a height, or at the newest block, with the index of a source that ends there', async () => {
    index = await IndexUnderTest.create('postgres', settings(archive));
    const idOf = (height: number): string => (JSON.parse(lines[height - 1]!) as { id: string }).id;
    expect(await sync('--to', String(TARGET))).toMatchObject({
      code: 0,
      stdout: `The index is at block ${TARGET} (${idOf(TARGET)}), as it was told.\n`,
    });
    expect(await index.height()).toBe(TARGET);
    const short = await part('short.ndjson', lines.slice(0, TARGET));
    const straight = await IndexUnderTest.create('postgres', settings(short));
    expect((await indexer(['sync'], straight.environment)).code).toBe(0);
    expect(await index.digest()).toBe(await straight.digest());
    await straight.close();
    expect(await sync('--to', '7')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The index is at height 1200 already: go back with "indexer rollback --to 7 --yes"/,
      ),
    });
    expect(await sync('--to', String(BLOCKS + 1))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is at height 1400: there is no block 1401 yet/),
    });
    expect(await sync()).toMatchObject({
      code: 0,
      stdout: `The index is at block ${BLOCKS} (${idOf(BLOCKS)}), the newest that file:${archive} has.\n`,
    });
    await index.run().says(/this process writes the index/);
    expect(await sync()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^An indexer is writing to this database.* "indexer status --watch"/),
    });
    await index.close();
  });

  it('shows how far it is on a terminal, stops at Ctrl-C with a whole index, and goes on from there', async () => {
    const damaged = [...lines.slice(0, 322)];
    damaged[DAMAGED - 1] = damaged[DAMAGED - 1]!.replace(/"timestamp":\d+/, '"timestamp":1');
    const file = await part('damaged.ndjson', damaged);
    index = await IndexUnderTest.create('postgres', settings(file));
    const terminal = new IndexerOnTerminal(['sync'], { ...index.environment, FETCH_CONCURRENCY: '1' });
    await terminal.shows(/indexing \[█+░*\] \d+ % \| (1\d\d|2[0-4]\d) of 322 blocks \| \d+ blocks\/s/);
    terminal.pressCtrlC();
    const shown = await terminal.ended();
    expect(shown).toMatch(/Stopping: what is in hand is committed first/);
    expect(shown).toMatch(
      /Stopped at height (1\d\d|2[0-4]\d), the source is at 322: the index is whole\. The same command goes on/,
    );
    expect(shown).toMatch(/exit code 130/);
    await part('damaged.ndjson', lines.slice(0, 322));
    expect(await sync()).toMatchObject({ code: 0, stderr: '' });
    expect(await index.height()).toBe(322);
    expect((await indexer(['verify'], index.environment)).code).toBe(0);
    await index.close();
  });
});
