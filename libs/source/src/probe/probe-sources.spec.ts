import type { Network } from '@roundhouse/chain';
import { recordingFile } from '@roundhouse/testing';
import { CoreNode } from '../core-api/core-node.harness.js';
import { loadNetwork } from '../network/load-network.js';
import { probeSources } from './probe-sources.js';

describe('probeSources', () => {
  let node: CoreNode;

  beforeEach(async () => {
    node = new CoreNode('3.x', 'core-3.9');
    await node.server.listen();
  });

  afterEach(() => node.server.close());

  const probe = async (milestones: Network['milestones'] = []) => {
    const known = await loadNetwork(recordingFile('core-3.9', 'network.json'));
    const network = { ...known, milestones: [...known.milestones, ...milestones] };
    const [report] = await probeSources({ urls: `http://${node.server.host}`, network, verify: 'hash' });
    return report!;
  };

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
    node.intercept = ({ path }) =>
      path.endsWith('/node/syncing') ? { body: { data: { height: 90_000, id: '7' } } } : undefined;
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
});
