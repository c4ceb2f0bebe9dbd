import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseNetwork } from '@roundhouse/chain';
import { createBlockSource, loadNetwork, type BlockSource } from '@roundhouse/source';
import { makeChain, SMALL, TIMING } from '@roundhouse/testing';
import { toRawBlock } from '../chain/raw-block.js';
import { makeFolder } from '../devnet.harness.js';
import { writeArchive } from './archive-writer.js';
import { generateArchive } from './generate.js';
import { startDevnet, type RunningDevnet, type RunSettings } from './run.js';

const HISTORY = 160;
const NEVER = 3600;

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

  describe('a running devnet', () => {
    const settings: RunSettings = {
      DEVNET_SEED: 'source',
      DEVNET_PORT: 0,
      HOST: '127.0.0.1',
      DATA_DIR: folder.path,
      DEVNET_HISTORY: HISTORY,
      // During the test only ordered blocks are forged.
      DEVNET_BLOCK_TIME: NEVER,
      DEVNET_MISS_RATE: 0.04,
      DEVNET_CONTROL: true,
      DEVNET_WEBHOOK_URL: undefined,
      DEVNET_WEBHOOK_TOKEN: '0'.repeat(64),
      LOG_LEVEL: 'silent',
    };
    let devnet: RunningDevnet;
    let source: BlockSource;

    const order = async (name: string, body: object): Promise<void> => {
      const response = await fetch(`${devnet.url}/devnet/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(200);
    };

    beforeAll(async () => {
      devnet = await startDevnet(settings);
      source = await createBlockSource({ urls: devnet.url, verify: 'full' });
    });

    afterAll(async () => {
      await source.close();
      await devnet.stop();
    });

    it('reports its network itself, and passes all checks, including signatures', async () => {
      expect((await source.network())?.name).toBe('roundhouse');
      const tip = await source.tip();
      const blocks = (await readAll(source, tip.height)) as { height: number; id: string }[];
      expect(blocks).toHaveLength(HISTORY);
      expect(blocks.at(-1)).toMatchObject(tip);
    });

    it('shows a fork', async () => {
      const before = await source.blocks(HISTORY - 4, HISTORY);
      await order('fork', { depth: 3 });
      await order('forge', { count: 1 });
      const after = await source.blocks(HISTORY - 4, HISTORY + 1);
      expect(after).toHaveLength(6);
      expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
      expect((await source.blockAt(HISTORY - 2))!.id).not.toBe(before[2]!.id);
      expect(await source.tip()).toMatchObject({ height: HISTORY + 1 });
    });

    it('is read despite temporary failures', async () => {
      await order('fail', { status: 503, count: 2 });
      expect(await source.blocks(10, 12)).toHaveLength(3);
    });
  });
});
