import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  AppProcess,
  CoreApiStandIn,
  createEmptyDatabase,
  loadCoreLines,
  type ArchiveBlock,
  type NodeConfiguration,
} from '@roundhouse/testing';
import { IndexUnderTest } from './index-under-test.js';
import { indexer } from './indexer-process.js';

const VERIFIED = { VERIFY: 'full', HISTORY: 'full' };

/** An archive and the network of its chain. */
interface OddChain {
  readonly archive: string;
  readonly network: string;
  readonly blocks: number;
}

const recorded = (name: string, blocks: number): OddChain => {
  const path = (file: string): string =>
    fileURLToPath(new URL(`../../../test-data/odd-chains/${name}/${file}`, import.meta.url));
  return { archive: path('chain.ndjson'), network: path('network.json'), blocks };
};

type Look = (index: IndexUnderTest) => Promise<void>;

/** Indexes to the head, verifies the index, and returns its digest. */
const digestOf = async (
  settings: Record<string, string>,
  blocks: number,
  look: Look = () => Promise.resolve(),
): Promise<string> => {
  const index = await IndexUnderTest.create('postgres', { ...VERIFIED, ...settings });
  try {
    const synced = await indexer(['sync'], index.environment);
    expect(synced).toMatchObject({ code: 0, stdout: expect.stringContaining(`at block ${blocks}`) });
    expect(await indexer(['verify'], index.environment)).toMatchObject({ code: 0 });
    await look(index);
    return await index.digest();
  } finally {
    await index.close();
  }
};

const fromArchive = ({ archive, network, blocks }: OddChain, look?: Look): Promise<string> =>
  digestOf({ BLOCK_SOURCE: `file:${archive}`, NETWORK: network }, blocks, look);

const fromNode = async ({ archive, network, blocks }: OddChain): Promise<string> => {
  const lines = (await readFile(archive, 'utf8')).trimEnd().split('\n');
  const node = await CoreApiStandIn.startLine(
    '3.0.6-3.9',
    JSON.parse(await readFile(network, 'utf8')) as NodeConfiguration,
    lines.map((line) => JSON.parse(line) as ArchiveBlock),
  );
  try {
    return await digestOf({ BLOCK_SOURCE: node.url }, blocks);
  } finally {
    await node.close();
  }
};

const fromDatabase = async ({ archive, network, blocks }: OddChain): Promise<string> => {
  const database = await createEmptyDatabase();
  try {
    await loadCoreLines(database.url, (await readFile(archive, 'utf8')).trimEnd().split('\n'));
    return await digestOf({ BLOCK_SOURCE: database.url, NETWORK: network }, blocks);
  } finally {
    await database.drop();
  }
};

describe('a chain as real networks of the family have them', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-odd-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('that pays from height 1, while its genesis block has no reward, is indexed from every source', async () => {
    const chain = recorded('reward-from-height-1', 4);
    const digest = await fromArchive(chain, async ({ pool }) => {
      const { rows } = await pool.query(
        'SELECT h.supply - g.total_amount AS rewards FROM head h, blocks g WHERE g.height = 1',
      );
      expect(rows).toEqual([{ rewards: '600000000' }]);
    });
    expect(await fromNode(chain)).toBe(digest);
    expect(await fromDatabase(chain)).toBe(digest);
  });

  it('with members as Core 2.3 named them is indexed as with the later name, from every source', async () => {
    const chain = recorded('members-of-core-2.3', 3);
    const renamed = { ...chain, archive: join(folder, 'renamed.ndjson') };
    const text = await readFile(chain.archive, 'utf8');
    await writeFile(renamed.archive, text.replaceAll('"multisignature":', '"multiSignatureLegacy":'));
    const digest = await fromArchive(renamed);
    expect(await fromArchive(chain)).toBe(digest);
    expect(await fromNode(chain)).toBe(digest);
    expect(await fromDatabase(chain)).toBe(digest);
  });

  it('whose number of active delegates changes by the rule of Core 3 is indexed from every source', async () => {
    const chain = recorded('delegates-change-core-3', 15);
    const digest = await fromArchive(chain, async ({ pool }) => {
      const { rows } = await pool.query('SELECT count(*)::integer AS count FROM rounds WHERE first_slot > 0');
      expect(rows).not.toEqual([{ count: 0 }]);
    });
    expect(await fromNode(chain)).toBe(digest);
    expect(await fromDatabase(chain)).toBe(digest);
  });

  it('with one active delegate is indexed, rebuilt, undone to its genesis block and indexed again', async () => {
    const [archive, network] = [join(folder, 'one.ndjson'), join(folder, 'one.network.json')];
    const form = '--active-delegates 1 --delegates 4 --accounts 50 --transactions-per-block 2';
    const { code, stderr } = await new AppProcess(
      'devnet',
      `generate --blocks 40 --out ${archive} --network ${network} ${form}`.split(' '),
      {},
    ).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const chain = { archive, network, blocks: 40 };
    const digest = await fromNode(chain);

    const indexedAgain = await fromArchive(chain, async ({ environment, pool }) => {
      for (const command of ['rebuild --from-genesis', 'rollback --to 1 --yes', 'verify', 'sync', 'verify'])
        expect(await indexer(command.split(' '), environment)).toMatchObject({ code: 0 });
      const { rows } = await pool.query(
        'SELECT min(round) AS round, min(first_height) AS height FROM rounds',
      );
      // Nobody could forge or miss round 1, which the genesis block fills.
      expect(rows).toEqual([{ round: 2, height: 2 }]);
    });
    expect(indexedAgain).toBe(digest);
  });
});
