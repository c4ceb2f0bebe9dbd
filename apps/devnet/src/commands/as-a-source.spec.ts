import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseNetwork } from '@roundhouse/chain';
import { createBlockSource, loadNetwork, type BlockSource } from '@roundhouse/source';
import { makeChain, SMALL, TIMING } from '@roundhouse/testing';
import { toRawBlock } from '../chain/raw-block.js';
import { serveApi } from '../api/api.harness.js';
import { makeFolder, openChain } from '../devnet.harness.js';
import { writeArchive } from './archive-writer.js';
import { generateArchive } from './generate.js';

const HISTORY = 160;

const readAll = async (source: BlockSource, height: number): Promise<unknown[]> => [
  ...(await source.blocks(1, 120)),
  ...(await source.blocks(121, height)),
];

describe('read by the indexer', () => {
  const folder = makeFolder();

  afterAll(() => folder.remove());

  it('an archive passes all checks, including signatures, and loses nothing', async () => {
    const out = join(folder.path, 'chain.ndjson.gz');
    await generateArchive({ ...SMALL, ...TIMING, blocks: HISTORY, out });
    const network = await loadNetwork(join(folder.path, 'chain.network.json'));
    const source = await createBlockSource({ urls: `file:${out}`, network, verify: 'full' });
    const { blocks } = makeChain({}, HISTORY);
    expect(await source.tip()).toEqual({ height: HISTORY, id: blocks.at(-1)!.id });
    expect(await readAll(source, HISTORY)).toEqual(blocks);
    await source.close();
  });

  it('a gzipped archive can be read from any height: damage elsewhere does not matter', async () => {
    const { blocks, network } = makeChain({ hasSignatures: false }, 60);
    // Text that cannot be compressed below half makes the archive long enough.
    const filled = blocks.map((block) => ({
      ...toRawBlock(block),
      filling: createHash('shake256', { outputLength: 20_000 }).update(block.id).digest('hex'),
    }));
    const out = join(folder.path, 'damaged.ndjson.gz');
    await writeArchive(out, filled);
    const bytes = await readFile(out);
    const middle = bytes.length >> 1;
    await writeFile(out, bytes.fill(0, middle, middle + 1000));
    const source = await createBlockSource({ urls: `file:${out}`, network: parseNetwork(network) });
    expect(await source.tip()).toEqual({ height: 60, id: blocks[59]!.id });
    const segments = source.segments!(58);
    expect((await segments.next()).value).toMatchObject({ firstHeight: 58 });
    await segments.return();
    await expect(source.blocks(30, 32)).rejects.toThrow('cut off or damaged');
    await source.close();
  });

  it("a devnet's API names its network, passes all checks, including signatures, and loses nothing", async () => {
    const served = serveApi(openChain(join(folder.path, 'devnet'), { history: HISTORY }));
    const source = await createBlockSource({
      urls: await served.api.listen('127.0.0.1', 0),
      verify: 'full',
    });
    expect((await source.network())?.name).toBe('roundhouse');
    expect(await readAll(source, HISTORY)).toEqual(makeChain({}, HISTORY).blocks);
    await source.close();
    await served.close();
  });
});
