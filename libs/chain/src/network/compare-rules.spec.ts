import { firstDifferentHeight, typesMovedByOne } from './compare-rules.js';
import type { Milestone } from './chain-constants.js';
import { CONFIGURATION, FIRST } from './milestones.harness.js';
import type { CustomType, Network } from './network.js';
import { parseNetwork } from './parse-network.js';

const networkOf = (...milestones: readonly Milestone[]): Network => ({
  ...parseNetwork(CONFIGURATION),
  milestones: [FIRST, ...milestones],
});

describe('firstDifferentHeight', () => {
  const reward = { height: 75, reward: 2 };
  const known = networkOf(reward);

  it.each<[string, Milestone[], number]>([
    ['a milestone that is added', [reward, { height: 900, reward: 3 }], 900],
    ['one that is removed', [], 75],
    ['one that is moved to a lower height', [{ height: 70, reward: 2 }], 70],
    ['one that is moved to a higher height', [{ height: 80, reward: 2 }], 75],
    ['another number of delegates', [{ ...reward, activeDelegates: 53 }], 75],
    ['full ids', [reward, { height: 80, block: { idFullSha256: true } }], 80],
  ])('finds %s', (_what, milestones, height) => {
    expect(firstDifferentHeight(known, networkOf(...milestones))).toBe(height);
    expect(firstDifferentHeight(networkOf(...milestones), known)).toBe(height);
  });

  it('finds another form of addresses at height 1', () => {
    expect(firstDifferentHeight(known, { ...known, pubKeyHash: 30 })).toBe(1);
  });

  it('ignores other spellings of the same rules, and constants that are only displayed', () => {
    const other = networkOf(
      { height: 60, vendorFieldLength: 255 },
      { height: 75, reward: 2n },
      { height: 90, fees: { staticFees: { transfer: 1 } } },
    );
    expect(firstDifferentHeight(known, other)).toBeNull();
  });
});

describe('typesMovedByOne', () => {
  const withTypes = (...customTypes: readonly CustomType[]): Network => ({ ...networkOf(), customTypes });
  const moved: CustomType = { typeGroup: 7, type: 0, moves: 'transfer' };
  const other: CustomType = { typeGroup: 7, type: 1, moves: 'transfer' };

  it.each<[string, Network, Network]>([
    ['added or removed', networkOf(), withTypes(moved)],
    ['changed', withTypes(other, { ...moved, moves: 'fee' }), withTypes(moved, other)],
  ])('finds one that is %s', (_what, one, another) => {
    for (const types of [typesMovedByOne(one, another), typesMovedByOne(another, one)])
      expect(new Set(types.map(({ typeGroup, type }) => `${typeGroup}/${type}`))).toEqual(new Set(['7/0']));
  });

  it.each<[string, Network, Network]>([
    ['another order', withTypes(moved, other), withTypes(other, moved)],
    ['types that cost only their fee, as all others', networkOf(), withTypes({ ...moved, moves: 'fee' })],
    ["types of Core, which follow Core's rules", networkOf(), withTypes({ ...moved, typeGroup: 1, type: 5 })],
  ])('ignores %s', (_what, one, another) => {
    expect(typesMovedByOne(one, another)).toEqual([]);
    expect(typesMovedByOne(another, one)).toEqual([]);
  });
});
