import { archiveLine, decodeBlock } from '@roundhouse/blocks';
import { signsExpiration, type Block, type Network, parseLosslessJson } from '@roundhouse/chain';
import {
  CoreApiStandIn,
  NODE_LINES,
  randomChain,
  recordedBlocks,
  recordedConfiguration,
  recordingFile,
  withExpirations,
  type ArchiveBlock,
  type NodeConfiguration,
  type NodeLineName,
} from '@roundhouse/testing';
import type { BlockSource } from '../block-source.js';
import { createBlockSource } from '../create-block-source.js';
import { loadNetwork } from '../network/load-network.js';
import { probeSources } from '../probe/probe-sources.js';

interface Chain {
  readonly configuration: NodeConfiguration;
  readonly network: Network;
  readonly blocks: readonly ArchiveBlock[];
}

type OneRecording = 'core-2.4' | 'core-2.4-full' | 'core-3.9';

const recorded = async (recording: OneRecording): Promise<Chain> => ({
  configuration: recordedConfiguration(recording),
  network: await loadNetwork(recordingFile(recording, 'network.json')),
  blocks: recordedBlocks(recording),
});

const archived = (blocks: readonly Block[]): ArchiveBlock[] =>
  blocks.map((block) => parseLosslessJson(archiveLine(block)) as ArchiveBlock);

/** Each transfer of version 2 has an expiration. */
const recordedWithExpirations = async (recording: OneRecording): Promise<Chain> => {
  const chain = await recorded(recording);
  return { ...chain, blocks: archived(withExpirations(chain.blocks.map(decodeBlock), chain.network)) };
};

/** All types of transactions; each transfer of version 2 has an expiration. */
const generated = (): Promise<Chain> => {
  const { network, blocks } = randomChain({ seed: 35, blocks: 210 });
  const { milestones, exceptions, name, nethash, pubKeyHash, token, symbol, explorer } = network;
  return Promise.resolve({
    configuration: {
      network: { name, nethash, pubKeyHash, client: { token, symbol, explorer } },
      milestones,
      exceptions,
    },
    network,
    blocks: archived(withExpirations(blocks, network)),
  });
};

/** The chains that nodes of a line can have. */
const CHAINS = {
  'a recording of Core 2.4': () => recorded('core-2.4'),
  'a recording of Core 2.4 with transactions of version 2': () => recorded('core-2.4-full'),
  'that recording with expirations': () => recordedWithExpirations('core-2.4-full'),
  'a recording of Core 3.9': () => recorded('core-3.9'),
  'a generated chain with expirations': generated,
} as const;

const BEFORE_2_6 = 'a recording of Core 2.4';
const WITH_VERSION_2 = 'a recording of Core 2.4 with transactions of version 2';
const WITH_EXPIRATIONS = ['that recording with expirations', 'a generated chain with expirations'] as const;
const FROM_2_6 = ['a recording of Core 3.9', 'a generated chain with expirations'] as const;

/** The chains that a node of each line is read with; none if it is refused. */
const READ: Readonly<Record<NodeLineName, readonly (keyof typeof CHAINS)[]>> = {
  '2.0.0-2.0.16': [],
  '2.0.17-2.3.21': [],
  '2.3.22-2.3.23': [],
  '2.4': [BEFORE_2_6],
  '2.5': [BEFORE_2_6, WITH_VERSION_2, 'that recording with expirations'],
  '2.6-2.7': FROM_2_6,
  '3.0.0-3.0.5': FROM_2_6,
  '3.0.6-3.9': FROM_2_6,
};
const LINES = Object.keys(NODE_LINES) as NodeLineName[];
const INDEXED = LINES.flatMap((line) => READ[line].map((chain) => [line, chain] as const));
const REFUSED = LINES.filter((line) => READ[line].length === 0);

const RANGE = 100;

const readWhole = async (source: BlockSource): Promise<Block[]> => {
  const { height } = await source.tip();
  const blocks: Block[] = [];
  for (let from = 1; from <= height; from += RANGE) {
    blocks.push(...(await source.blocks(from, Math.min(height, from + RANGE - 1))));
  }
  return blocks;
};

describe('the lines of Core', () => {
  let node: CoreApiStandIn;
  let source: BlockSource;

  const open = async (
    line: NodeLineName,
    { configuration, blocks }: Chain,
    network: Network | null = null,
  ): Promise<void> => {
    node = await CoreApiStandIn.startLine(line, configuration, blocks);
    source = await createBlockSource({ urls: node.url, network, attempts: 2, backoffMs: 1 });
  };

  afterEach(async () => {
    await source.close();
    await node.close();
  });

  it.each(INDEXED)('%s is read to its head: %s', async (line, name) => {
    const chain = await CHAINS[name]();
    await open(line, chain);
    const expected = chain.blocks.map(decodeBlock);
    expect(await readWhole(source)).toEqual(expected);
    // A request for each block would also serve, but not a node with a rate limit.
    expect(node.requests.length).toBeLessThan(0.12 * expected.length);
  });

  it.each(REFUSED)(
    '%s is refused before its first block, with a sentence that names its database and archives',
    async (line) => {
      const chain = await CHAINS[BEFORE_2_6]();
      await open(line, chain);
      const refusal =
        /Core 2\.0 to 2\.3 .* database \(postgres:\/\/\) or an archive \(file:\) in BLOCK_SOURCE/;
      // Without and with NETWORK, as an indexer starts.
      await expect(source.network()).rejects.toThrow(refusal);
      await source.close();
      source = await createBlockSource({ urls: node.url, network: chain.network });
      await expect(source.tip()).rejects.toThrow(refusal);
      expect(node.requests.filter((path) => path.includes('blocks'))).toEqual([]);
      const [report] = await probeSources({ urls: node.url, network: null, verify: 'hash' });
      expect(report!.problems).toEqual([expect.stringMatching(refusal)]);
    },
  );

  it("a node that shows the blocks' timestamps is refused even if it shows the senders' keys", async () => {
    const { configuration, blocks } = await CHAINS[BEFORE_2_6]();
    node = await CoreApiStandIn.startLine('2.4', configuration, blocks);
    node.chain = node.chain.map(({ transactions, ...block }) => {
      const epoch = `"epoch":${block.timestamp}`;
      const at = (plain: string): string => plain.replace(/"epoch":\d+/, epoch);
      return { ...block, transactions: transactions.map((each) => ({ ...each, plain: at(each.plain) })) };
    });
    source = await createBlockSource({ urls: node.url });
    await expect(source.tip()).rejects.toThrow('Core 2.0 to 2.3');
  });

  it('2.4 hides what version 2 signs: the refusal of such a block says where it is', async () => {
    await open('2.4', await CHAINS[WITH_VERSION_2]());
    await expect(readWhole(source)).rejects.toThrow(
      /^Block \d+ from .* has contents that give the id .* neither the expirations nor the vendor fields .* archive \(file:\)/,
    );
  });

  it('a node that was upgraded while it was away is read in its new form', async () => {
    const chain = await CHAINS[BEFORE_2_6]();
    await open('2.4', chain);
    expect(await source.blocks(2, 9)).toHaveLength(8);
    const upgraded = await CoreApiStandIn.startLine('2.5', chain.configuration, chain.blocks);
    try {
      node.misbehave({ kind: 'failing', status: 500 }, { kind: 'failing', status: 500 });
      await expect(source.blocks(10, 19)).rejects.toMatchObject({ kind: 'http-5xx' });
      node.behaveAs(upgraded);
      expect(await source.blocks(300, 305)).toHaveLength(6);
      expect(node.requests.at(-1)).toContain('transform=false');
    } finally {
      await upgraded.close();
    }
  });
});

describe('these tests', () => {
  it.each(WITH_EXPIRATIONS)('use expirations: %s', async (name) => {
    const { blocks } = await CHAINS[name]();
    const transfers = blocks
      .flatMap((block) => decodeBlock(block).transactions)
      .filter(({ version, typeGroup, type }) => signsExpiration(version, typeGroup, type));
    expect(transfers.length).toBeGreaterThan(10);
    expect(transfers.every(({ expiration }) => expiration > 0)).toBe(true);
  });
});
