import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Rules, type Block, type RuleName, type Transaction, type Warned } from '@roundhouse/chain';
import {
  ACCEPTED_LIES,
  LIES,
  makeBlocks,
  makerOf,
  randomChain,
  SMALL,
  TIMING,
  type AcceptedLieName,
  type LieName,
} from '@roundhouse/testing';
import { ApplyHarness } from './apply.harness.js';

const HEIGHT = 40;
const maker = makerOf(SMALL);
const state = maker.emptyState(TIMING);
const blocks: readonly Block[] = [...makeBlocks(maker, state, HEIGHT)];
const lawful = maker.forge.forgeNext(state);
const told = (lie: LieName | AcceptedLieName): Block => maker.forge.lying(state, lawful, lie);

describe('an index', () => {
  let harness: ApplyHarness;
  const warned = new Map<RuleName, Warned>();

  beforeAll(async () => {
    harness = await ApplyHarness.create(state.network, {
      rules: new Rules({ now: () => Date.now() }),
      // So that everything is loaded from the tables.
      accountCapacity: 1,
      onBatch: (report) => report.warned.forEach((each, rule) => warned.set(rule, each)),
    });
    await harness.index(blocks);
  });

  afterAll(() => harness.close());

  it.each(Object.entries(LIES) as [LieName, { rule: RuleName }][])(
    'refuses %s and stays where it is',
    async (lie, { rule }) => {
      const outcome = await harness.index([...blocks, told(lie)]);
      expect(outcome).toMatchObject({ kind: 'refused', block: { height: HEIGHT + 1 } });
      expect(outcome).toMatchObject({
        reason: expect.stringContaining(`(rule "${rule}"; LENIENT_RULES=${rule}`),
      });
      expect(await harness.count('blocks')).toBe(HEIGHT);
    },
  );

  it.each(Object.entries(ACCEPTED_LIES) as [AcceptedLieName, { rule: RuleName }][])(
    'warns about %s',
    async (lie, { rule }) => {
      await harness.index([...blocks, told(lie)]);
      expect(warned.get(rule)).toMatchObject({ count: 1, first: { rule, height: HEIGHT + 1 } });
      await harness.apply.undoTo(HEIGHT);
    },
  );
});

describe('a transaction of version 1, which has no nonce', () => {
  const { network, blocks: chain } = randomChain({ seed: 3, blocks: HEIGHT });
  const head = chain.at(-1)!;
  const senders = new Set(head.transactions.map(({ senderPublicKey }) => senderPublicKey));
  const transfer = chain
    .slice(1, -1)
    .flatMap(({ transactions }) => transactions)
    .find(
      ({ type, version, senderPublicKey }) => type === 0 && version === 2 && !senders.has(senderPublicKey),
    )!;
  const sent: Transaction = { ...transfer, version: 1, nonce: null, timestamp: 0, amount: 1n, fee: 1n };
  const again = { ...sent, id: '12'.repeat(32) };
  const withMore = (block: Block, ...more: readonly Transaction[]): Block => ({
    ...block,
    transactions: [...block.transactions, ...more],
  });
  const before = withMore(chain.at(-2)!, again);

  it.each<[string, readonly Block[]]>([
    ['in a later block', [before, withMore(head, again)]],
    ['twice in a block', [withMore(before, again)]],
  ])('is refused %s, and no setting accepts it', async (_, newest) => {
    const harness = await ApplyHarness.create(network, { rules: new Rules() });
    const refused = newest.at(-1)!.height;
    expect(await harness.index([...chain.slice(0, -2), ...newest])).toMatchObject({
      kind: 'refused',
      block: { height: refused },
      reason: expect.stringContaining('(rule "transaction-twice"; no setting accepts it)'),
    });
    expect(await harness.count('blocks')).toBe(refused - 1);
    await harness.close();
  });
});
