import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateChain } from './generated-chain.js';
import { IndexUnderTest } from './index-under-test.js';
import { indexer, type Ended } from './indexer-process.js';

const BLOCKS = 500;
/** Several rounds below the head. */
const TARGET = 290;

describe('indexer rollback', () => {
  let folder: string;
  let archive: string;
  let network: string;
  let lines: string[];
  let index: IndexUnderTest;

  const settings = (file: string, over: Record<string, string> = {}): Record<string, string> => ({
    BLOCK_SOURCE: `file:${file}`,
    NETWORK: network,
    ...over,
  });

  const indexed = async (file: string, height: number, over: Record<string, string> = {}) => {
    const made = await IndexUnderTest.create('postgres', settings(file, over));
    const run = made.run();
    await made.reach(height, run);
    await run.kill('SIGTERM');
    return made;
  };

  /** The digest of an index that never went further. */
  const digestAt = async (height: number): Promise<string> => {
    const part = join(folder, `${height}.ndjson`);
    await writeFile(part, lines.slice(0, height).join(''));
    const straight = await indexed(part, height);
    const digest = await straight.digest();
    await straight.close();
    return digest;
  };

  const rollback = (...options: string[]): Promise<Ended> =>
    indexer(['rollback', ...options], index.environment);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-rollback-'));
    archive = join(folder, 'chain.ndjson');
    network = join(folder, 'chain.network.json');
    await generateChain({ archive, network, blocks: BLOCKS });
    lines = (await readFile(archive, 'utf8')).split(/(?<=\n)/);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('gives the index of a chain that never went further, from which an indexer continues', async () => {
    index = await indexed(archive, BLOCKS);
    const before = await index.digest();
    expect(await rollback('--to', String(TARGET), '--yes')).toEqual({
      code: 0,
      signal: null,
      stdout: `The head is block ${TARGET}; ${BLOCKS - TARGET} blocks are undone.\n`,
      stderr: '',
    });
    expect(await index.digest()).toBe(await digestAt(TARGET));
    await index.reach(BLOCKS, index.run());
    expect(await index.digest()).toBe(before);
    await index.close();
  });

  it('is refused while an indexer writes, and without --yes', async () => {
    index = await IndexUnderTest.create('postgres', settings(archive));
    await index.reach(BLOCKS, index.run());
    expect(await rollback('--to', String(TARGET), '--yes')).toMatchObject({
      code: 1,
      stderr: 'An indexer is writing to this database: stop it first.\n',
    });
    expect(await rollback('--to', String(TARGET))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`say "indexer rollback --to ${TARGET} --yes"`) as string,
    });
    expect(await index.height()).toBe(BLOCKS);
    await index.close();
  });

  it('says how many before-images are kept and what helps if a height is out of reach', async () => {
    index = await indexed(archive, BLOCKS, { UNDO_DEPTH: '60' });
    const before = await index.digest();
    const { code, stderr } = await rollback('--to', String(BLOCKS - 61), '--yes');
    expect(code).toBe(1);
    expect(stderr).toBe(
      `The index cannot go back to height ${BLOCKS - 61}: before-images are kept for the 60 blocks above height ` +
        `${BLOCKS - 60}. Go back to ${BLOCKS - 60} or higher, or create more of them from the stored ` +
        `blocks first: "indexer rebuild" with UNDO_DEPTH=61 or more.\n`,
    );
    expect(await index.digest()).toBe(before);
    expect(await rollback('--to', String(BLOCKS - 60), '--yes')).toMatchObject({ code: 0 });
    expect(await index.height()).toBe(BLOCKS - 60);
    expect(await rollback('--to', String(BLOCKS), '--yes')).toMatchObject({
      code: 1,
      stderr: `The index is at height ${BLOCKS - 60}: there is no block ${BLOCKS} to go back to.\n`,
    });
    await index.close();
  });

  it('refuses an invalid height, and an index without blocks', async () => {
    index = await IndexUnderTest.create('postgres', settings(archive));
    for (const to of ['0', '-1', '1e2', 'abc', '']) {
      const { code, stderr } = await rollback(`--to=${to}`, '--yes');
      expect(stderr).toMatch(/^Say which block becomes the head: "indexer rollback --to HEIGHT --yes"/);
      expect(code).toBe(1);
    }
    expect(await rollback('--to', '1', '--yes')).toMatchObject({
      code: 1,
      stderr: 'The index is empty: there is nothing to undo.\n',
    });
    await index.close();
  });
});
