import { eventually, randomChain } from '@roundhouse/testing';
import type { RunningIndexer } from '../indexer.js';
import { IndexerHarness, MemorySource, queueBackends } from '../indexer.harness.js';

const { network, blocks } = randomChain({ seed: 8, blocks: 60 });

const TOKEN = 'fe944e318edb02b979d6bf0c87978b640c8e74e1cbfe36404386d33a5bbd8b66';
const SENT = TOKEN.slice(0, 32);
/** So long that no poll starts by itself within a test. */
const settings = { WEBHOOK_TOKEN: TOKEN, POLL_INTERVAL_MS: '3600000' };

const post = (indexer: RunningIndexer, authorization: string, body = '{"event":"block.applied"}') =>
  fetch(`${indexer.operationsUrl}/webhooks/block-applied`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
  });

describe.each(queueBackends)('a node’s webhook, with queues on %s', (backend) => {
  let harness: IndexerHarness;
  let source: MemorySource;

  beforeEach(async () => {
    harness = await IndexerHarness.create(backend);
    source = new MemorySource(blocks.slice(0, 50), network);
  });

  afterEach(() => harness.close());

  it('makes the indexers ask their source at once, whatever it posts', async () => {
    await harness.start(source, settings);
    const follower = await harness.start(source, settings);
    await harness.reach(blocks[49]!);
    for (const [height, body] of [
      [51, '{"event":"block.applied","data":{"height":1}}'],
      [52, 'no JSON at all'],
    ] as const) {
      source.chain = blocks.slice(0, height);
      expect((await post(follower, SENT, body)).status).toBe(204);
      await harness.reach(blocks[height - 1]!);
    }
  });

  it('that comes many times at once causes few polls', async () => {
    const indexer = await harness.start(source, settings);
    await harness.reach(blocks[49]!);
    const asked = source.tipsAsked;
    source.chain = blocks.slice(0, 51);
    await Promise.all(Array.from({ length: 50 }, () => post(indexer, SENT)));
    await harness.reach(blocks[50]!);
    source.chain = blocks.slice(0, 52);
    await post(indexer, SENT);
    await harness.reach(blocks[51]!);
    expect(source.tipsAsked - asked).toBeLessThan(25);
  });

  it('is refused with another token', async () => {
    const indexer = await harness.start(source, settings);
    for (const wrong of ['', TOKEN, SENT.slice(0, 31), SENT.toUpperCase(), 'x'.repeat(5_000)]) {
      expect((await post(indexer, wrong)).status).toBe(401);
    }
  });

  it('is refused without WEBHOOK_TOKEN, and says what to set', async () => {
    const indexer = await harness.start(source, { POLL_INTERVAL_MS: '3600000' });
    await eventually('the source is asked for its tip', () => source.tipsAsked > 0);
    const answer = await post(indexer, SENT);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toMatch(/WEBHOOK_TOKEN/);
  });
});
