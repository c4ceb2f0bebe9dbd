import { describe, expect, it } from '@jest/globals';
import { aDelegate, aStatus } from '../status/status.harness.js';
import { sharesOf } from './votes-chart.js';

describe('the shares of votes', () => {
  it('cover the whole supply: the largest delegates by name, the others together, and the part without a vote', () => {
    const delegates = Array.from({ length: 20 }, (_, index) =>
      aDelegate(index + 1, { weight: BigInt(20 - index) * 10n ** 14n, isActive: index < 15 }),
    );
    const supply = 3n * 10n ** 16n + 1n;
    const shares = sharesOf(aStatus({ delegates, supply }));
    expect(shares.map(({ name }) => name).slice(-4)).toEqual([
      'delegate_8',
      '7 others active',
      '5 standby',
      'without a vote',
    ]);
    expect(shares.reduce((sum, { weight }) => sum + weight, 0n)).toBe(supply);
  });

  it('omit delegates without a share', () => {
    const delegates = [aDelegate(1, { weight: 5n }), aDelegate(2, { weight: 0n })];
    expect(sharesOf(aStatus({ delegates, supply: 5n })).map(({ name, weight }) => [name, weight])).toEqual([
      ['delegate_1', 5n],
      ['without a vote', 0n],
    ]);
  });
});
