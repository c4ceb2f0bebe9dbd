import { describe, expect, it } from '@jest/globals';
import { firstDifferentHeight } from './compare-rules.js';
import type { Milestone } from './milestones.js';
import type { Network } from './network.js';

const first = {
  height: 1,
  reward: 0,
  activeDelegates: 51,
  blocktime: 8,
  epoch: '2017-03-21T13:00:00.000Z',
  fees: { staticFees: { transfer: 10, secondSignature: 20, delegateRegistration: 30 } },
};

const networkOf = (...milestones: readonly Milestone[]): Network => ({
  name: 'one',
  nethash: 'ab'.repeat(32),
  pubKeyHash: 23,
  token: 'T',
  symbol: 't',
  explorer: '',
  milestones: [first, ...milestones],
  exceptions: {},
});

describe('firstDifferentHeight', () => {
  const known = networkOf({ height: 75, reward: 2 });

  it.each<[string, Milestone[], number]>([
    [
      'a milestone that is added',
      [
        { height: 75, reward: 2 },
        { height: 900, reward: 3 },
      ],
      900,
    ],
    ['one that is removed', [], 75],
    ['one that is moved to a lower height', [{ height: 70, reward: 2 }], 70],
    ['one that is moved to a higher height', [{ height: 80, reward: 2 }], 75],
    ['another number of delegates', [{ height: 75, reward: 2, activeDelegates: 53 }], 75],
    [
      'full ids',
      [
        { height: 75, reward: 2 },
        { height: 80, block: { idFullSha256: true } },
      ],
      80,
    ],
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
