import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Rules, type Block, type RuleName, type Warned } from '@roundhouse/chain';
import {
  ACCEPTED_LIES,
  LIES,
  makeBlocks,
  makerOf,
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
