import { jest } from '@jest/globals';
import { computeBlockId, payloadOf, serialise } from '@roundhouse/blocks';
import { sha256, type Block, type Network, type Transaction } from '@roundhouse/chain';
import { readRecording, recordingFile } from '@roundhouse/testing';
import type { RawSource } from '../block-source.js';
import { decodeBlock } from '../decode/block.js';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';
import { SourceConfigError } from '../errors/source-config.error.js';
import { loadNetwork } from '../network/load-network.js';
import { AgreedNetwork } from './agreed-network.js';
import type { Verification } from './block-checker.js';
import { CheckedSource, type BrokenClaim } from './checked-source.js';

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

  const checked = (blocks: readonly Block[], verify: Verification = 'hash', own = network): CheckedSource =>
    new CheckedSource(sourceOf(blocks), new AgreedNetwork({ configured: own }), verify);

  const withBlock = (height: number, change: Partial<Block>): Block[] =>
    chain.map((block) => (block.height === height ? { ...block, ...change } : block));

  const failureOf = (answer: Promise<unknown>): Promise<Error> =>
    answer.then(
      () => new Error('It did not fail.'),
      (error: unknown) => error as Error,
    );

  it.each<Verification>(['hash', 'full'])(
    'returns a recorded chain unchanged (verify: %s)',
    async (verify) => {
      const source = checked(chain, verify);
      expect(await source.blocks(1, 322)).toEqual(chain);
      expect(await source.blocks(301, 400)).toEqual(chain.slice(300));
    },
  );

  const full = chain.find(({ height, numberOfTransactions }) => height > 2 && numberOfTransactions > 1)!;
  const { height } = full;

  it.each<[string, () => Block[], number, string]>([
    ['a gap', () => chain.filter((block) => block.height !== height), height + 1, 'came instead of'],
    ['a broken link', () => withBlock(height - 1, { id: '7' }), height - 1, 'its id is 7'],
    [
      'a link to another block',
      () => withBlock(height, { previousBlock: '7' }),
      height,
      'its previousBlock is 7',
    ],
    ['a wrong id', () => withBlock(height, { id: '7' }), height, 'its id is 7, but its contents give'],
    [
      'transactions in a wrong order',
      () => withBlock(height, { transactions: [...full.transactions].reverse() }),
      height,
      'its payloadHash is',
    ],
    [
      'a changed amount',
      () =>
        withBlock(height, {
          transactions: full.transactions.map((transaction) => ({
            ...transaction,
            amount: 9007199254740993n,
          })),
        }),
      height,
      'its totalAmount is',
    ],
    [
      'recipients that were swapped',
      () => {
        const [first, second, ...rest] = full.transactions as [Transaction, Transaction];
        const swapped = [
          { ...first, recipientId: second.recipientId },
          { ...second, recipientId: first.recipientId },
        ];
        return withBlock(height, { transactions: [...swapped, ...rest] });
      },
      height,
      `transaction ${full.transactions[0]!.id} has contents that give the id `,
    ],
  ])(
    'returns nothing of a range with %s, and names height and source',
    async (_what, blocks, wrong, problem) => {
      const error = await failureOf(checked(blocks()).blocks(1, 322));
      expect(error).toBeInstanceOf(NodeProtocolError);
      expect(error).toMatchObject({ height: wrong, source: 'the node' });
      expect(error.message).toContain(`Block ${wrong} from the node: `);
      expect(error.message).toContain(problem);
      expect(error.message).toContain('Nothing of the range was stored');
    },
  );

  it('refuses a range that begins at another height than requested', async () => {
    const source = new CheckedSource(
      { ...sourceOf(chain), blocks: (from) => Promise.resolve(chain.slice(from === 1 ? 0 : from)) },
      new AgreedNetwork({ configured: network }),
      'hash',
    );
    expect((await failureOf(source.blocks(5, 9))).message).toContain('height 6 came instead of height 5');
  });

  it('checks signatures with VERIFY=full, except those that the network excepts', async () => {
    const last = { ...chain.at(-1)!, blockSignature: chain[height]!.blockSignature };
    const id = computeBlockId(last, false);
    const forged = withBlock(last.height, { ...last, id });
    expect(await checked(forged).blocks(320, 322)).toHaveLength(3);
    const error = await failureOf(checked(forged, 'full').blocks(320, 322));
    expect(error).toMatchObject({ name: 'NodeProtocolError', height: 322 });
    expect(error.message).toContain('its blockSignature is not by its generator');
    const excepting: Network = { ...network, exceptions: { blocks: [id] } };
    expect(await checked(forged, 'full', excepting).blocks(320, 322)).toHaveLength(3);
  });

  it('does not verify the signature of the genesis block, as no node does', async () => {
    const { blockSignature } = chain[height]!;
    const forged = withBlock(1, { blockSignature });
    expect(await checked(forged, 'full').blocks(1, 3)).toHaveLength(3);
    expect(await checked(forged, 'full').blockAt(1)).toMatchObject({ blockSignature });
  });

  it('checks the signatures of transactions with VERIFY=full', async () => {
    const [first, second, ...rest] = full.transactions as [Transaction, Transaction];
    const { signature } = second;
    const id = sha256(
      Buffer.concat([serialise(first, network.pubKeyHash, payloadOf)!, Buffer.from(signature!, 'hex')]),
    ).toString('hex');
    const forged = withBlock(height, { transactions: [{ ...first, id, signature }, second, ...rest] });
    // The block's own id, payload hash and signature are excepted, the transaction is not.
    const excepting: Network = { ...network, exceptions: { blocks: [full.id] } };
    expect(await checked(forged, 'hash', excepting).blocks(height, height)).toHaveLength(1);
    const error = await failureOf(checked(forged, 'full', excepting).blocks(height, height));
    expect(error).toMatchObject({ name: 'NodeProtocolError', height });
    expect(error.message).toContain(
      `transaction ${id} has a signature that is not by ${first.senderPublicKey}`,
    );
  });

  it('refuses a source with another nethash before it returns a block', async () => {
    const another: Network = { ...network, name: 'another', nethash: 'ab'.repeat(32) };
    for (const source of [sourceOf(chain), sourceOf(chain, network)]) {
      const error = await failureOf(
        new CheckedSource(source, new AgreedNetwork({ configured: another }), 'hash').blocks(2, 3),
      );
      expect(error).toBeInstanceOf(NodeProtocolError);
      expect(error.message).toMatch(
        /^the node (is on|holds) another chain: .* Correct NETWORK or BLOCK_SOURCE\.$/,
      );
    }
  });

  it('returns nothing from a source on another chain, neither its height nor block ids', async () => {
    const another: Network = { ...network, name: 'another', nethash: 'ab'.repeat(32) };
    const source = new CheckedSource(
      sourceOf(chain, network),
      new AgreedNetwork({ configured: another }),
      'hash',
    );
    for (const answer of [source.tip(), source.blockAt(5), source.blockAt(1)]) {
      expect((await failureOf(answer)).message).toMatch(/^the node is on another chain/);
    }
  });

  it('asks for the chain again after a failure, because the address may lead to another node', async () => {
    const node = { ...sourceOf(chain, network) };
    const source = new CheckedSource(node, new AgreedNetwork({ configured: network }), 'hash');
    expect(await source.tip()).toMatchObject({ height: 322 });
    node.tip = () => Promise.reject(new NodeUnavailableError('the node', 'refused', 'it is away'));
    await failureOf(source.tip());
    Object.assign(node, sourceOf(chain, { ...network, name: 'another', nethash: 'ab'.repeat(32) }));
    expect((await failureOf(source.tip())).message).toMatch(/^the node is on another chain/);
  });

  it('checks a block that may cause undoing, including its signature', async () => {
    expect(await checked(chain).blockAt(1)).toEqual(chain[0]);
    expect(await checked(chain).blockAt(height)).toEqual(full);
    expect(await checked(chain).blockAt(chain.length + 1)).toBeNull();
    const foreign = withBlock(1, { payloadHash: 'ab'.repeat(32) });
    const unsigned = { ...full, blockSignature: chain[0]!.blockSignature };
    const id = computeBlockId(unsigned, false);
    for (const [lie, at, says] of [
      [foreign, 1, "genesis block's payloadHash"],
      [withBlock(height, { id: '7' }), height, 'its id is 7, but its contents give'],
      [withBlock(height, { ...unsigned, id }), height, 'its blockSignature is not by its generator'],
    ] as const) {
      const error = await failureOf(checked(lie).blockAt(at));
      expect(error).toMatchObject({ code: 'NODE_PROTOCOL', height: at });
      expect(error.message).toContain(says);
    }
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
    const error = await failureOf(source.blocks(5, 9));
    expect(error).toMatchObject({ name: 'NodeProtocolError', height: 7, source: 'the node' });
    expect(error.message).toContain('Block 7 from the node: it cannot be applied.');
    expect((await failureOf(source.blockAt(10))).message).toContain('its generator is a stranger');
  });

  describe('after the node was upgraded', () => {
    const UPGRADE = 200;
    let older: Network;
    let node: RawSource & { told: Network };
    let accepted: Network[];
    let refusal: Error | null;

    beforeEach(() => {
      const [first, ...others] = network.milestones;
      // The older configuration lacks the milestone with the reward. The upgraded node reports it as a new one.
      older = { ...network, milestones: [first!, ...others.filter(({ reward }) => reward === undefined)] };
      const source = sourceOf(chain);
      node = { ...source, told: older, network: () => Promise.resolve(node.told) };
      accepted = [];
      refusal = null;
    });

    const open = (configured: Network | null = null): CheckedSource =>
      new CheckedSource(
        node,
        new AgreedNetwork({
          configured,
          accept: async (told) => {
            if (refusal) throw refusal;
            accepted.push(told);
          },
        }),
        'hash',
      );

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
      const ranges = await Promise.all([
        source.blocks(75, 100),
        source.blocks(101, 150),
        source.blocks(151, 200),
      ]);
      expect(ranges.flat()).toEqual(chain.slice(74, UPGRADE));
    });

    it('refuses the block if the node reports nothing new, and does not mention NETWORK, which was never set', async () => {
      const error = await failureOf(open().blocks(70, 80));
      expect(error).toMatchObject({ name: 'NodeProtocolError', height: 75 });
      expect(error.message).toContain('its reward is 200000000, but 0 is right');
      expect(error.message).toContain('upgrade the node');
      expect(error.message).not.toContain('NETWORK');
    });

    it('refuses a configuration that cannot be used, and says why', async () => {
      const source = open();
      await source.blocks(1, 74);
      node.told = network;
      refusal = new Error('it has other rules from height 75 on.');
      const error = await failureOf(source.blocks(75, 80));
      expect(error).toBeInstanceOf(NodeProtocolError);
      expect(error.message).toContain('reports a configuration that cannot be used: it has other rules');
    });

    it('keeps NETWORK if it is set, and names it', async () => {
      const source = open(older);
      node.told = network;
      const error = await failureOf(source.blocks(70, 80));
      expect(error.message).toContain('check NETWORK (its milestones and exceptions)');
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
    const source = new CheckedSource(node(chain), new AgreedNetwork({ configured: network }), 'hash');
    expect(await source.blocks(2, 3)).toEqual(chain.slice(1, 3));
    expect(await source.network()).toBe(network);
    const foreign = new CheckedSource(
      node(withBlock(1, { payloadHash: 'ab'.repeat(32) })),
      new AgreedNetwork({ configured: network }),
      'hash',
    );
    expect((await failureOf(foreign.blocks(2, 3))).message).toMatch(/^the node holds another chain/);
    const unknown = new CheckedSource(node(chain), new AgreedNetwork({ configured: null }), 'hash');
    expect(await failureOf(unknown.network())).toBe(nonsense);
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
    const source = new CheckedSource(foreign, new AgreedNetwork({ configured: null }), 'hash');
    const error = await failureOf(source.blocks(1, 2));
    expect(error).toBeInstanceOf(NodeProtocolError);
    expect(error.message).toBe('the node has votes with shares.');
    expect((await failureOf(source.tip())).message).toBe('the node has votes with shares.');
    expect(asked).toEqual([]);
  });

  it('says that NETWORK is needed if no source reports the network', async () => {
    const error = await failureOf(
      new CheckedSource(sourceOf(chain), new AgreedNetwork({ configured: null }), 'hash').blocks(1, 2),
    );
    expect(error).toBeInstanceOf(SourceConfigError);
    expect(error.message).toContain('the node does not report its chain: set NETWORK to');
  });
});
