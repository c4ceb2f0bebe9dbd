import { describe, expect, it } from '@jest/globals';
import { aDelegate, aStatus } from '../status/status.harness.js';
import { sharesOf } from './votes-chart.js';

describe('the shares of votes', () => {
  it('cover the whole supply: the largest delegates by name, the others together, and the part without a vote', () => {
    const delegates = Array.from({ length: 15 }, (_, index) =>
      aDelegate(index + 1, { weight: BigInt(20 - index) * 10n ** 14n, isActive: true }),
    );
    const supply = 3n * 10n ** 16n + 1n;
    const shares = sharesOf(aStatus({ delegates, delegateCount: 20, totalWeight: 21n * 10n ** 15n, supply }));
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
    expect(
      sharesOf(aStatus({ delegates, delegateCount: 2, totalWeight: 5n, supply: 5n })).map(
        ({ name, weight }) => [name, weight],
      ),
    ).toEqual([
      ['delegate_1', 5n],
      ['without a vote', 0n],
    ]);
  });

  it('do not say that the rest is without a vote if not all delegates are counted', () => {
    const names = sharesOf(aStatus({ delegateCount: 200_000 })).map(({ name }) => name);
    expect(names.slice(-2)).toEqual(['4,996 standby', 'the rest']);
  });
});
