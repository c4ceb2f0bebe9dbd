import { payoutTable } from '../examples/payout-table.js';
import type { Voter } from './generated/api.js';

const voters = (...balances: bigint[]): Voter[] =>
  balances.map((balance, index) => ({
    address: `A${index}`,
    username: null,
    publicKey: `02${index}`,
    balance,
  }));

describe('the payout table of the example', () => {
  it('divides in proportion to balances, rounds down, and shows the remainder', () => {
    const { shared, payouts, remainder } = payoutTable(voters(1n, 1n, 1n), 1_000n, 100n);
    expect([shared, payouts.map(({ amount }) => amount), remainder]).toEqual([
      1_000n,
      [333n, 333n, 333n],
      1n,
    ]);
  });

  it('loses no arktoshi, however large the amounts', () => {
    const balances = [9_007_199_254_740_993n, 7n, 13_092_005_600_000_001n, 0n];
    const { shared, payouts, remainder } = payoutTable(voters(...balances), 9_007_199_254_740_993n, 87n);
    expect(shared).toBe((9_007_199_254_740_993n * 87n) / 100n);
    expect(payouts.reduce((sum, { amount }) => sum + amount, remainder)).toBe(shared);
    expect(remainder).toBeLessThan(BigInt(payouts.length));
  });

  it('pays nothing for a balance below 0', () => {
    expect(payoutTable(voters(10n, -5n), 100n, 100n)).toMatchObject({
      weight: 10n,
      payouts: [{ amount: 100n }, { amount: 0n }],
      remainder: 0n,
    });
  });

  it('pays nothing if nobody votes, or only accounts without a balance', () => {
    expect(payoutTable([], 1_000n, 90n)).toMatchObject({ payouts: [], remainder: 900n });
    expect(payoutTable(voters(0n), 1_000n, 90n)).toMatchObject({
      payouts: [{ amount: 0n }],
      remainder: 900n,
    });
  });
});
