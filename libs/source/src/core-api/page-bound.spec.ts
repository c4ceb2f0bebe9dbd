import { decodeBlock } from '@roundhouse/blocks';
import { createBlockSource } from '../create-block-source.js';
import { loadNetwork } from '../network/load-network.js';
import { recordingFile } from '@roundhouse/testing';
import type { Network } from '@roundhouse/chain';
import { CoreNode } from './core-node.harness.js';
import { pageBoundOf } from './page-bound.js';

const MIB = 1024 * 1024;

describe('the bound of a page', () => {
  let recorded: Network;
  beforeAll(async () => {
    recorded = await loadNetwork(recordingFile('core-3.9', 'network.json'));
  });

  const withBlocks = (...blocks: readonly object[]): Network => ({
    ...recorded,
    milestones: [
      ...recorded.milestones.map(({ block: _, ...milestone }) => milestone as Network['milestones'][number]),
      ...blocks.map((block, index) => ({ height: 300 + index, block })),
    ],
  });

  it("follows from the chain's largest block at any height, and its reason names the limits", () => {
    const bound = pageBoundOf(
      withBlocks(
        { maxPayload: 6_300_000, maxTransactions: 500 },
        { maxPayload: 2_097_152, maxTransactions: 150 },
      ),
    );
    expect(bound.bytes).toBe(8 * 6_300_000 + 500 * 2_048);
    expect(bound.reason).toContain(
      '6300000 bytes (block.maxPayload) and 500 transactions (block.maxTransactions)',
    );
  });

  it.each([
    ['a chain that names none', [], 16 * MIB],
    ['small blocks', [{ maxPayload: 100 }], 16 * MIB],
    ['what is no number', [{ maxPayload: 'much' }], 16 * MIB],
    ['endless blocks', [{ maxPayload: 10 ** 15 }], 256 * MIB],
  ])('for %s', (_, blocks, bytes) => {
    expect(pageBoundOf(withBlocks(...blocks)).bytes).toBe(bytes);
  });

  describe('from a node whose answers are long', () => {
    let node: CoreNode;
    /** How many MiB follow the answer to a request for transactions of so many blocks. */
    let longerBy: (blocks: number) => number;

    beforeEach(async () => {
      node = new CoreNode('3.x', 'core-3.9');
      node.intercept = (request) => {
        const ids = new URL(request.path, 'http://node').searchParams.get('blockId')?.split(',');
        if (ids === undefined) return undefined;
        const text = JSON.stringify(node.answer(request).body);
        return { body: text + ' '.repeat(longerBy(ids.length) * MIB) };
      };
      await node.server.listen();
    });
    afterEach(() => node.server.close());

    const read = async (network: Network, to: number): Promise<unknown> => {
      const source = await createBlockSource({ urls: `http://${node.server.host}`, network, attempts: 1 });
      try {
        return await source.blocks(2, to);
      } finally {
        await source.close();
      }
    };

    it('reads a page that the limits of the chain allow, and refuses it without them', async () => {
      longerBy = () => 17;
      await expect(read(withBlocks(), 40)).rejects.toThrow(/more than 16 MiB.*block\.maxPayload/);
      const blocks = node.blocks.slice(1, 40).map(decodeBlock);
      expect(await read(withBlocks({ maxPayload: 6_300_000, maxTransactions: 150 }), 40)).toEqual(blocks);
    });

    it('asks for each block on its own if those of several blocks are longer than one block can be', async () => {
      longerBy = (blocks) => (blocks > 1 ? 17 : 0);
      expect(await read(withBlocks(), 40)).toEqual(node.blocks.slice(1, 40).map(decodeBlock));
    });
  });
});
