import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseNetwork } from '@roundhouse/chain';
import { makeChain, SMALL, TIMING } from '@roundhouse/testing';
import { toRawBlock, type RawBlock } from '../chain/raw-block.js';
import { DevnetError } from '../devnet.error.js';
import { makeFolder, openChain } from '../devnet.harness.js';
import { exportChain } from './export.js';
import { generateArchive } from './generate.js';

const linesOf = (text: string): RawBlock[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RawBlock);

describe('archives', () => {
  let folder: ReturnType<typeof makeFolder>;

  beforeEach(() => {
    folder = makeFolder();
  });

  afterEach(() => folder.remove());

  const readNetwork = (name: string): unknown => JSON.parse(readFileSync(join(folder.path, name), 'utf8'));

  it('contain exactly the blocks of the running chain, gzipped, with its network beside them', async () => {
    const chain = openChain(join(folder.path, 'devnet'));
    const to = join(folder.path, 'copy.ndjson.gz');
    expect(await exportChain({ dataDir: folder.path, to })).toBe(20);
    expect(linesOf(gunzipSync(readFileSync(to)).toString())).toEqual([...chain.log.blocks(1, 20)]);
    expect(readNetwork('copy.network.json')).toEqual(chain.network);
    chain.close();
  });

  it('cannot be made without a chain; the message says so', async () => {
    const to = join(folder.path, 'copy.ndjson');
    await expect(exportChain({ dataDir: folder.path, to })).rejects.toThrow(DevnetError);
  });

  it('are the same at every call with the same arguments', async () => {
    const options = { ...SMALL, ...TIMING, blocks: 30, hasSignatures: false };
    const paths = ['one', 'two'].map((name) => join(folder.path, `${name}.ndjson`));
    for (const out of paths) expect(await generateArchive({ ...options, out })).toBe(30);
    const [one, two] = paths.map((path) => readFileSync(path, 'utf8'));
    expect(one).toBe(two);
    expect(linesOf(one!)).toEqual(makeChain({ hasSignatures: false }, 30).blocks.map(toRawBlock));
    expect(parseNetwork(readNetwork('one.network.json')).name).toBe('roundhouse');
  });

  it('cannot be written into a missing folder', async () => {
    const out = join(folder.path, 'missing', 'x.ndjson');
    await expect(generateArchive({ ...SMALL, ...TIMING, blocks: 2, out })).rejects.toThrow('ENOENT');
  });
});
