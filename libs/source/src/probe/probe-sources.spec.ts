import { writeFile } from 'node:fs/promises';
import { curve, TransactionType, type JsonObject, type Network } from '@roundhouse/chain';
import { recordingFile } from '@roundhouse/testing';
import { CoreNode, recordedChain, type RawBlock } from '../core-api/core-node.harness.js';
import { newFolders } from '../folder.harness.js';
import { loadNetwork } from '../network/load-network.js';
import { probeSources } from './probe-sources.js';

/** Amounts may be read as bigint. */
const lineOf = (block: object): string =>
  `${JSON.stringify(block, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}\n`;

describe('probeSources', () => {
  let node: CoreNode;
  let known: Network;

  beforeEach(async () => {
    node = new CoreNode('3.x', 'core-3.9');
    await node.server.listen();
    known = await loadNetwork(recordingFile('core-3.9', 'network.json'));
  });

  afterEach(() => node.server.close());

  const probe = async (milestones: Network['milestones'] = []) => {
    // Those of the same height are replaced.
    const isKept = ({ height }: { height: number }): boolean =>
      milestones.every((other) => other.height !== height);
    const network = { ...known, milestones: [...known.milestones.filter(isKept), ...milestones] };
    const [report] = await probeSources({ urls: `http://${node.server.host}`, network, verify: 'hash' });
    return report!;
  };

  it('says what verified the signatures only if blocks were read and verified', async () => {
    const urls = `http://${node.server.host}`;
    const signaturesBy = async (verify: 'full' | 'hash'): Promise<unknown> =>
      (await probeSources({ urls, network: known, verify }))[0]!.signaturesBy;
    expect(await signaturesBy('hash')).toBeNull();
    expect(await signaturesBy('full')).toBe(curve.name);
    await node.server.close();
    expect(await signaturesBy('full')).toBeNull();
  });

  it('reads ranges from the genesis block to the newest', async () => {
    const report = await probe();
    expect(report).toMatchObject({ height: 322, genesisTransactions: 153, rateLimit: null, problems: [] });
    expect(report.sample).toMatchObject({ blocks: 320, lowestHeight: 1, highestHeight: 322 });
    expect(report.secondsToRead).toBeCloseTo((322 * report.sample!.seconds) / 320, 6);
    expect(report.remarks).toEqual([expect.stringContaining('newest block is old')]);
  });

  it('reckons with what a rate limit leaves for reading: 100 requests a minute, less 40 for the newest blocks', async () => {
    const headers = {
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '99',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 30),
    };
    node.intercept = (request) => ({ ...node.answer(request), headers });
    const report = await probe();
    expect(report.rateLimit).toEqual({ requests: 100, periodSeconds: 60 });
    const { requests } = report.sample!;
    expect(requests).toBeGreaterThan(4);
    expect(report.secondsToRead).toBeCloseTo(((322 * requests) / 320 / 60) * 60, 6);
  });

  it('reports a node that announces blocks which it does not return', async () => {
    node.show('/node/syncing', { height: 90_000, id: '7' });
    expect((await probe()).problems).toEqual([
      expect.stringMatching(/announces height 90000, but returns no block \d+\. Let the node repair/),
    ]);
  });

  it('notes milestones of another chain that change nothing here', async () => {
    const report = await probe([{ height: 300, coeus: true }]);
    expect(report.problems).toEqual([]);
    expect(report.remarks).toContainEqual(expect.stringContaining('coeus from height 300'));
  });

  it('reports a wrong block with its height', async () => {
    node.blocks = node.blocks.map((block) => (block.height === 110 ? { ...block, reward: '7' } : block));
    expect((await probe()).problems).toEqual([expect.stringContaining('Block 110 from')]);
  });

  it('tries the first round in a ledger, changes of rules and places in between, with few requests', async () => {
    const { tried, problems } = await probe();
    expect(problems).toEqual([]);
    expect(tried).toMatchObject({ firstBlocks: 52, places: 4 });
    expect(tried!.ruleChanges).toBeGreaterThan(2);
    expect(tried!.transactions).toBeGreaterThan(153);
    expect(node.server.requests.length).toBeLessThan(40);
  });

  it('reports a genesis block that the ledger refuses: nothing proves its list of transactions', async () => {
    const [genesis, ...others] = node.blocks;
    const isRegistration = ({ type }: JsonObject): boolean =>
      Number(type) === TransactionType.DelegateRegistration;
    const first = genesis!.transactions.find(isRegistration)!;
    const last = genesis!.transactions.findLast(isRegistration)!;
    const transactions = genesis!.transactions.map((each) => (each === last ? first : each));
    node.blocks = [{ ...genesis!, transactions }, ...others];
    const { problems, tried } = await probe();
    expect(problems).toEqual([
      expect.stringMatching(/^Block 1 from .* cannot be applied: .* registers again/),
    ]);
    expect(tried!.firstBlocks).toBe(0);
  });

  it('reports a wrong forger in round 2', async () => {
    const of50 = known.milestones
      .filter(({ height }) => height > 52)
      .map((milestone) => ({ ...milestone, activeDelegates: 50 }));
    const { problems, tried } = await probe([{ height: 52, activeDelegates: 50 }, ...of50]);
    expect(problems).toEqual([
      expect.stringMatching(/^Block 52 from .* cannot be applied: its generator is .* belongs to/),
    ]);
    expect(tried!.firstBlocks).toBe(51);
  });

  it('reports a change of the number of delegates within a round', async () => {
    expect((await probe([{ height: 100, activeDelegates: 50 }])).problems).toEqual([
      expect.stringContaining('The milestone at height 100 changes "activeDelegates" within a round'),
    ]);
  });
});

describe('probeSources of an archive, of which only the upper half is read for its speed', () => {
  const inFolder = newFolders();

  const probe = async (
    recording: 'core-2.4' | 'core-3.9',
    height: number,
    change: (block: RawBlock) => object,
  ) => {
    const lines = recordedChain(recording).map((block) => (block.height === height ? change(block) : block));
    const archive = inFolder('chain.ndjson');
    await writeFile(archive, lines.map(lineOf).join(''));
    const network = await loadNetwork(recordingFile(recording, 'network.json'));
    const [report] = await probeSources({ urls: `file:${archive}`, network, verify: 'hash' });
    return report!;
  };

  it.each(['core-2.4', 'core-3.9'] as const)('finds nothing wrong in %s', async (recording) => {
    expect(await probe(recording, 1, (block) => block)).toMatchObject({
      problems: [],
      tried: { firstBlocks: 52, places: 4 },
    });
  });

  it('reports a wrong block at a change of rules', async () => {
    const { problems } = await probe('core-3.9', 64, (block) => ({ ...block, reward: '7' }));
    expect(problems).toEqual([expect.stringContaining('Block 64 from')]);
  });

  it('reports a wrong transaction in the middle', async () => {
    const inPlace = ({ height, transactions }: RawBlock): boolean =>
      height >= 120 && height < 140 && transactions.length > 0;
    const { height } = recordedChain('core-3.9').find(inPlace)!;
    const { problems } = await probe('core-3.9', height, (block) => {
      const [first, ...others] = block.transactions;
      const changed = { ...first, senderPublicKey: block['generatorPublicKey'] };
      return { ...block, transactions: [changed, ...others] };
    });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`Block ${height} from .*transaction`))]);
  });
});
