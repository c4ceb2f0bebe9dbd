import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Rules } from '@roundhouse/chain';
import { makeBlocks, makerOf, SMALL, TIMING } from '@roundhouse/testing';
import { IndexedChain } from './indexed-chain.harness.js';
import { verifyIndex } from './verify-index.js';

const HEIGHT = 30;

describe('an index that holds a block which a source would not get past', () => {
  let index: IndexedChain;

  beforeAll(async () => {
    const maker = makerOf(SMALL);
    const state = maker.emptyState(TIMING);
    const blocks = [...makeBlocks(maker, state, HEIGHT)];
    const lie = maker.forge.lying(state, maker.forge.forgeNext(state), 'overspends');
    index = await IndexedChain.create(state.network, [...blocks, lie]);
  });

  afterAll(() => index.close());

  const badBlocks = (rules?: Rules) =>
    index.apart(async (client) => (await verifyIndex(client, { listed: 3, rules })).badBlocks);

  it('is found, with the height and the rule', async () => {
    expect(await badBlocks()).toEqual([
      { height: HEIGHT + 1, problem: expect.stringContaining('(rule "balance"; LENIENT_RULES=balance') },
    ]);
  });

  it('is sound if the rule is lenient', async () => {
    expect(await badBlocks(new Rules({ lenient: new Set(['balance']) }))).toEqual([]);
  });
});
