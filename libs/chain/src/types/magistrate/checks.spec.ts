import { describe, expect, it } from '@jest/globals';
import { applyBlock } from '../../ledger/apply-block.js';
import { SmallChain } from '../../ledger/apply-block.harness.js';
import { Rules } from '../../rules/rules.js';

const ID = '12'.repeat(32);

/** A transaction of type group 2, by type and asset. */
type Step = readonly [type: number, other?: Readonly<Record<string, unknown>>, id?: string];

const register: Step = [0, { businessRegistration: { name: 'a', website: 'b' } }];
const update: Step = [2, { businessUpdate: { website: 'c' } }];
const resign: Step = [1];
const bridge: Step = [3, { bridgechainRegistration: { name: 'c', genesisHash: ID } }];
const changeBridge: Step = [5, { bridgechainUpdate: { bridgechainId: ID } }];
const endBridge: Step = [4, { bridgechainResignation: { bridgechainId: ID } }];

const entity = (action: number, over: Readonly<Record<string, unknown>> = {}): Step => {
  const registrationId = action === 0 ? {} : { registrationId: ID };
  return [6, { type: 1, subType: 2, action, ...registrationId, data: { name: 'e' }, ...over }, ID];
};

/** The rules that the last of these transactions of bob breaks, who is the delegate "bob". The others break none. */
const brokenBy = (aip36: boolean, steps: readonly Step[], keepsDetails = true): string[] => {
  const later = { height: 2, aip11: true, multiPaymentLimit: 64, aip36 };
  const chain = new SmallChain(false, 2, [later]);
  chain.ledger.keepsDetails = keepsDetails;
  // Nodes know of the milestone after its block.
  chain.forge('alice');
  let broken: string[] = [];
  for (const [type, other, id] of steps) {
    expect(broken).toEqual([]);
    broken = [];
    const nonce = BigInt(chain.account('bob').nonce + 1);
    const asset = other ? { other } : null;
    const block = chain.next('alice', undefined, [{ from: 'bob', typeGroup: 2, type, asset, nonce }]);
    const transactions = block.transactions.map((each) => ({ ...each, id: id ?? each.id }));
    applyBlock(chain.ledger, { ...block, transactions }, false, {
      rules: new Rules(),
      onBroken: ({ rule }) => broken.push(rule),
    });
  }
  return broken;
};

describe('a business', () => {
  it.each<[string, readonly Step[], string[]]>([
    ['is registered', [register], []],
    ['is registered again', [register, register], ['business']],
    ['is changed', [register, update], []],
    ['is changed without one', [update], ['business']],
    ['resigns', [register, resign], []],
    ['resigns without one', [resign], ['business']],
    ['resigns again', [register, resign, resign], ['business']],
    ['is changed after it resigned', [register, resign, update], ['business']],
    ['gets a bridgechain', [register, bridge], []],
    ['gets it again', [register, bridge, bridge], ['bridgechain']],
    ['gets one without a business', [bridge], ['bridgechain']],
    ['changes its bridgechain', [register, bridge, changeBridge], []],
    ['changes an unknown one', [register, changeBridge], ['bridgechain']],
    ['ends it', [register, bridge, endBridge], []],
    ['ends it again', [register, bridge, endBridge, endBridge], ['bridgechain']],
  ])('%s', (_, steps, broken) => {
    expect(brokenBy(false, steps)).toEqual(broken);
  });

  it('has ended with AIP 36', () => {
    for (const [step, rule] of [
      [register, 'business'],
      [resign, 'business'],
      [bridge, 'bridgechain'],
    ] as const)
      expect(brokenBy(true, [step])).toEqual([rule]);
  });

  it('may be any in an index that does not know the first ones', () => {
    expect(brokenBy(false, [update], false)).toEqual([]);
  });
});

describe('an entity', () => {
  it.each<[string, readonly Step[], string[]]>([
    ['is registered', [entity(0)], []],
    ['is changed', [entity(0), entity(1)], []],
    ['is changed without one', [entity(1)], ['entity']],
    ['is changed as another type', [entity(0), entity(1, { type: 3 })], ['entity']],
    ['is changed as another subtype', [entity(0), entity(1, { subType: 3 })], ['entity']],
    ['resigns', [entity(0), entity(2)], []],
    ['resigns again', [entity(0), entity(2), entity(2)], ['entity']],
    ['is its delegate', [entity(0, { type: 4, data: { name: 'bob' } })], []],
    ['is another delegate', [entity(0, { type: 4, data: { name: 'alice' } })], ['entity']],
  ])('%s', (_, steps, broken) => {
    expect(brokenBy(true, steps)).toEqual(broken);
  });

  it('needs AIP 36', () => {
    expect(brokenBy(false, [entity(0)])).toEqual(['entity']);
  });
});
