import { jest } from '@jest/globals';
import { computeBlockId, serialise, decodeBlock } from '@roundhouse/blocks';
import { payloadOf, sha256, type Block, type Network, type Transaction } from '@roundhouse/chain';
import { readRecording, recordingFile } from '@roundhouse/testing';
import type { RawSource } from '../block-source.js';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';
import { loadNetwork } from '../network/load-network.js';
import { failureOf, refusal } from '../refusal.harness.js';
import { AgreedNetwork } from './agreed-network.js';
import type { Verification } from './block-checker.js';
import { CheckedSource } from './checked-source.js';
import type { BrokenClaim } from './unkept-claim.js';

const chain = readRecording('core-2.4', 'chain.ndjson.gz').map(decodeBlock);

/** A source that returns these blocks. If `network` is null, it does not know its network. */
const sourceOf = (blocks: readonly Block[], network: Network | null = null): RawSource => ({
  name: 'the node',
  network: () => Promise.resolve(network),
  tip: () => Promise.resolve(blocks.at(-1)!),
  blocks: (from, to) => Promise.resolve(blocks.filter(({ height }) => height >= from && height <= to)),
  close: () => Promise.resolve(),
});

describe('CheckedSource', () => {
  let network: Network;

  beforeAll(async () => {
    network = await loadNetwork(recordingFile('core-2.4', 'network.json'));
  });

  const over = (node: RawSource, configured: Network | null = network): CheckedSource =>
    new CheckedSource(node, new AgreedNetwork({ configured }), 'hash');

  const checked = (blocks: readonly Block[], verify: Verification = 'hash', own = network): CheckedSource =>
    new CheckedSource(sourceOf(blocks), new AgreedNetwork({ configured: own }), verify);

  const withBlock = (height: number, change: Partial<Block>): Block[] =>
    chain.map((block) => (block.height === height ? { ...block, ...change } : block));

  /** The same chain by another name. */
  const another = (): Network => ({ ...network, name: 'another', nethash: 'ab'.repeat(32) });

  /** The same block, signed by another delegate, with the id that it has then. */
  const forged = (block: Block): Block => {
    const unsigned = { ...block, blockSignature: chain[height]!.blockSignature };
    return { ...unsigned, id: computeBlockId(unsigned, false) };
  };

  it.each<Verification>(['hash', 'full'])(
    'returns a recorded chain unchanged (verify: %s)',
    async (verify) => {
      expect(await checked(chain, verify).blocks(1, 322)).toEqual(chain);
      expect(await checked(chain, verify).blocks(301, 400)).toEqual(chain.slice(300));
    },
  );

  const full = chain.find(({ height, numberOfTransactions }) => height > 2 && numberOfTransactions > 1)!;
  const { height } = full;

  const changed =
    (change: (first: Transaction, second: Transaction) => Partial<Transaction>[]) => (): Block[] => {
      const [first, second, ...rest] = full.transactions as [Transaction, Transaction];
      const [one, other] = change(first, second);
      return withBlock(height, { transactions: [{ ...first, ...one }, { ...second, ...other }, ...rest] });
    };

  it.each<[string, () => Block[], number, string]>([
    ['a gap', () => chain.filter((block) => block.height !== height), height + 1, 'came instead of'],
    ['a wrong id', () => withBlock(height, { id: '7' }), height, 'its id is 7, but its contents give'],
    ['a changed amount', changed(() => [{ amount: 9007199254740993n }]), height, 'its totalAmount is'],
    [
      'recipients that were swapped',
      changed((first, second) => [{ recipientId: second.recipientId }, { recipientId: first.recipientId }]),
      height,
      `transaction ${full.transactions[0]!.id} has contents that give the id `,
    ],
  ])(
    'returns nothing of a range with %s, and names height and source',
    async (_what, blocks, at, problem) => {
      const error = await failureOf(checked(blocks()).blocks(1, 322));
      expect(error).toMatchObject(refusal(problem, { height: at, source: 'the node' }));
      expect(error.message).toContain(`Block ${at} from the node: `);
      expect(error.message).toContain('Nothing of the range was stored');
    },
  );

  it('refuses a range that begins at another height than requested', async () => {
    const wrong = (from: number): Promise<Block[]> => Promise.resolve(chain.slice(from === 1 ? 0 : from));
    const node = { ...sourceOf(chain), blocks: wrong };
    await expect(over(node).blocks(5, 9)).rejects.toThrow('height 6 came instead of height 5');
  });

  it('checks signatures with VERIFY=full, except those that the network excepts', async () => {
    const last = forged(chain.at(-1)!);
    const blocks = [...chain.slice(0, -1), last];
    expect(await checked(blocks).blocks(320, 322)).toHaveLength(3);
    const wrong = refusal('its blockSignature is not by its generator', { height: 322 });
    await expect(checked(blocks, 'full').blocks(320, 322)).rejects.toMatchObject(wrong);
    const excepting: Network = { ...network, exceptions: { blocks: [last.id] } };
    expect(await checked(blocks, 'full', excepting).blocks(320, 322)).toHaveLength(3);
  });

  it('does not verify the signature of the genesis block, as no node does', async () => {
    const { blockSignature } = chain[height]!;
    const blocks = withBlock(1, { blockSignature });
    expect(await checked(blocks, 'full').blocks(1, 3)).toHaveLength(3);
    expect(await checked(blocks, 'full').blockAt(1)).toMatchObject({ blockSignature });
  });

  it('checks the signatures of transactions with VERIFY=full', async () => {
    const [first, second] = full.transactions as [Transaction, Transaction];
    const { signature } = second;
    const bytes = serialise(first, network.pubKeyHash, payloadOf)!;
    const id = sha256(Buffer.concat([bytes, Buffer.from(signature!, 'hex')])).toString('hex');
    const blocks = changed(() => [{ id, signature }])();
    // The block's own id, payload hash and signature are excepted, the transaction is not.
    const excepting: Network = { ...network, exceptions: { blocks: [full.id] } };
    expect(await checked(blocks, 'hash', excepting).blocks(height, height)).toHaveLength(1);
    const says = `transaction ${id} has a signature that is not by ${first.senderPublicKey}`;
    const refused = checked(blocks, 'full', excepting).blocks(height, height);
    await expect(refused).rejects.toMatchObject(refusal(says, { height }));
  });

  it('returns nothing from a source on another chain, neither blocks nor its height or block ids', async () => {
    const says = /^the node (is on|holds) another chain: .* Correct NETWORK or BLOCK_SOURCE\.$/;
    for (const node of [sourceOf(chain), sourceOf(chain, network)]) {
      const source = over(node, another());
      const asked = [source.blocks(2, 3), source.tip(), source.blockAt(5), source.blockAt(1)];
      for (const answer of asked) await expect(answer).rejects.toMatchObject(refusal(says));
    }
  });

  it('asks for the chain again after a failure, because the address may lead to another node', async () => {
    const node = { ...sourceOf(chain, network) };
    const source = over(node);
    expect(await source.tip()).toMatchObject({ height: 322 });
    node.tip = () => Promise.reject(new NodeUnavailableError('the node', 'refused', 'it is away'));
    await failureOf(source.tip());
    Object.assign(node, sourceOf(chain, another()));
    await expect(source.tip()).rejects.toThrow(/^the node is on another chain/);
  });

  it('checks a block that may cause undoing, including its signature', async () => {
    expect(await checked(chain).blockAt(1)).toEqual(chain[0]);
    expect(await checked(chain).blockAt(height)).toEqual(full);
    expect(await checked(chain).blockAt(chain.length + 1)).toBeNull();
    for (const [lie, at, says] of [
      [withBlock(1, { payloadHash: 'ab'.repeat(32) }), 1, "genesis block's payloadHash"],
      [withBlock(height, { id: '7' }), height, 'its id is 7, but its contents give'],
      [withBlock(height, forged(full)), height, 'its blockSignature is not by its generator'],
    ] as const)
      await expect(checked(lie).blockAt(at)).rejects.toMatchObject(refusal(says, { height: at }));
  });

  it('limits a source to the last block that it returns, reports this once, and trusts it again later', async () => {
    let now = 1_000_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      const node = { ...sourceOf(chain, network), tip: () => Promise.resolve({ height: 1_322, id: '7' }) };
      const told: BrokenClaim[] = [];
      const source = new CheckedSource(node, new AgreedNetwork({ configured: network }), 'hash', (claim) =>
        told.push(claim),
      );
      const heightAfter = async (ms: number): Promise<number> => {
        now += ms;
        return (await source.tip()).height;
      };
      expect(await heightAfter(0)).toBe(1_322);
      expect(await source.blocks(323, 400)).toEqual([]);
      // A source may announce a block a moment before it can return it.
      expect(await heightAfter(9_000)).toBe(1_322);
      expect(await heightAfter(1_000)).toBe(322);
      expect(await source.tip()).toMatchObject({ id: chain[321]!.id });
      expect(await heightAfter(60_000)).toBe(322);
      expect(told).toEqual([{ source: 'the node', claimed: 1_322, given: 322 }]);
      const next = { ...chain[321]!, height: 323, previousBlock: chain[321]!.id };
      const grown = [...chain, { ...next, id: computeBlockId(next, false) }];
      const later = sourceOf(grown, network);
      node.blocks = (from, to) => later.blocks(from, to);
      expect(await heightAfter(60_000)).toBe(1_322);
    } finally {
      clock.mockRestore();
    }
  });

  it('uses the network that the first source reports for all sources', async () => {
    const agreed = new AgreedNetwork({ configured: null });
    expect(await new CheckedSource(sourceOf(chain, network), agreed, 'hash').network()).toBe(network);
    const second = new CheckedSource(sourceOf(chain), agreed, 'hash');
    expect(await second.blocks(2, 3)).toEqual(chain.slice(1, 3));
  });

  it('refuses a block that it was told to distrust, and returns those around it', async () => {
    const source = checked(chain);
    source.distrust(({ height }) => (height === 7 ? 'it cannot be applied' : null));
    source.distrust(({ height }) => (height === 10 ? 'its generator is a stranger' : null));
    expect(await source.blocks(1, 6)).toHaveLength(6);
    expect(await source.blocks(8, 9)).toHaveLength(2);
    const wrong = refusal('Block 7 from the node: it cannot be applied.', { height: 7, source: 'the node' });
    await expect(source.blocks(5, 9)).rejects.toMatchObject(wrong);
    await expect(source.blockAt(10)).rejects.toThrow('its generator is a stranger');
  });

  describe('after the node was upgraded', () => {
    const UPGRADE = 200;
    let older: Network;
    let node: RawSource & { told: Network };
    let accepted: Network[];
    let objection: Error | null;

    beforeEach(() => {
      const [first, ...others] = network.milestones;
      // The older configuration lacks the milestone with the reward. The upgraded node reports it as a new one.
      older = { ...network, milestones: [first!, ...others.filter(({ reward }) => reward === undefined)] };
      const source = sourceOf(chain);
      node = { ...source, told: older, network: () => Promise.resolve(node.told) };
      accepted = [];
      objection = null;
    });

    const open = (configured: Network | null = null): CheckedSource => {
      const accept = async (told: Network): Promise<void> => {
        if (objection) throw objection;
        accepted.push(told);
      };
      return new CheckedSource(node, new AgreedNetwork({ configured, accept }), 'hash');
    };

    it('asks for the configuration again if a block contradicts it, and continues with a newer one', async () => {
      const source = open();
      expect(await source.blocks(1, 74)).toHaveLength(74);
      node.told = network;
      expect(await source.blocks(75, UPGRADE)).toEqual(chain.slice(74, UPGRADE));
      expect(accepted).toEqual([network]);
      expect(await source.network()).toBe(network);
    });

    it('continues in ranges that are checked concurrently', async () => {
      const source = open();
      await source.blocks(1, 74);
      node.told = network;
      const starts = [75, 100, 125];
      const ranges = await Promise.all(starts.map((from) => source.blocks(from, from + 24)));
      expect(ranges.flat()).toEqual(chain.slice(74, 149));
    });

    it('refuses the block if the node reports nothing new, and does not mention NETWORK, which was never set', async () => {
      const error = await failureOf(open().blocks(70, 80));
      const says = /its reward is 200000000, but 0 is right.*upgrade the node/;
      expect(error).toMatchObject(refusal(says, { height: 75 }));
      expect(error.message).not.toContain('NETWORK');
    });

    it('refuses a configuration that cannot be used, and says why', async () => {
      const source = open();
      await source.blocks(1, 74);
      node.told = network;
      objection = new Error('it has other rules from height 75 on.');
      const says = 'reports a configuration that cannot be used: it has other rules';
      await expect(source.blocks(75, 80)).rejects.toMatchObject(refusal(says));
    });

    it('keeps NETWORK if it is set, and names it', async () => {
      const source = open(older);
      node.told = network;
      await expect(source.blocks(70, 80)).rejects.toThrow('check NETWORK (its milestones and exceptions)');
      expect(accepted).toEqual([]);
    });

    it('adopts a reported milestone before it is reached, within a minute or after a failure', async () => {
      const source = open();
      await source.network();
      node.told = network;
      node.tip = () => Promise.reject(new NodeUnavailableError('the node', 'refused', 'it is away'));
      await failureOf(source.tip());
      expect(await source.network()).toBe(network);
      expect(accepted).toEqual([network]);
    });
  });

  it('uses the configured network if the source reports an unusable one, and checks its genesis block', async () => {
    const nonsense = new NodeProtocolError('the node', 'its configuration has no "network"');
    const node = (blocks: readonly Block[]): RawSource => ({
      ...sourceOf(blocks),
      network: () => Promise.reject(nonsense),
    });
    const source = over(node(chain));
    expect(await source.blocks(2, 3)).toEqual(chain.slice(1, 3));
    expect(await source.network()).toBe(network);
    const foreign = over(node(withBlock(1, { payloadHash: 'ab'.repeat(32) })));
    await expect(foreign.blocks(2, 3)).rejects.toThrow(/^the node holds another chain/);
    await expect(over(node(chain), null).network()).rejects.toBe(nonsense);
  });

  it('refuses a source whose chain cannot be indexed before it is asked for a block', async () => {
    const asked: number[] = [];
    const foreign: RawSource = {
      ...sourceOf(chain, network),
      blocks: (from) => {
        asked.push(from);
        return Promise.resolve([]);
      },
      chainProblem: () => Promise.resolve('has votes with shares.'),
    };
    const source = over(foreign, null);
    const wrong = refusal(/^the node has votes with shares\.$/);
    await expect(source.blocks(1, 2)).rejects.toMatchObject(wrong);
    await expect(source.tip()).rejects.toMatchObject(wrong);
    expect(asked).toEqual([]);
  });

  it('says that NETWORK is needed if no source reports the network', async () => {
    const says = 'the node does not report its chain: set NETWORK to';
    const wrong = refusal(says, { name: 'SourceConfigError' });
    await expect(over(sourceOf(chain), null).blocks(1, 2)).rejects.toMatchObject(wrong);
  });
});
