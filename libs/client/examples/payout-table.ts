// eslint-disable-next-line @nx/enforce-module-boundaries -- an example imports what its reader imports
import type { Voter } from '@roundhouse/client';

export interface Payout {
  readonly address: string;
  /** In arktoshi, like all amounts here. */
  readonly balance: bigint;
  readonly amount: bigint;
}

export interface PayoutTable {
  readonly weight: bigint;
  /** The amount to divide among the voters. */
  readonly shared: bigint;
  readonly payouts: readonly Payout[];
  /** What rounding leaves over: less than one arktoshi for each voter. */
  readonly remainder: bigint;
}

const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

/**
 * Divides `percent` of the forged amount among the voters in proportion to their balances. Each share is rounded
 * down. A balance below 0, which accounts of a genesis block may have, gets nothing.
 */
export const payoutTable = (voters: readonly Voter[], forged: bigint, percent: bigint): PayoutTable => {
  const shared = (forged * percent) / 100n;
  const weight = voters.reduce((sum, { balance }) => sum + positive(balance), 0n);
  const payouts = voters.map(({ address, balance }) => ({
    address,
    balance,
    amount: weight === 0n ? 0n : (shared * positive(balance)) / weight,
  }));
  const paid = payouts.reduce((sum, { amount }) => sum + amount, 0n);
  return { weight, shared, payouts, remainder: shared - paid };
};
