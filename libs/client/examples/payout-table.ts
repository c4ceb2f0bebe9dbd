// eslint-disable-next-line @nx/enforce-module-boundaries -- an example imports what its reader imports
import type { Voter } from '@roundhouse/client';

export interface Payout {
  readonly address: string;
  /** Arktoshi, as all amounts here. */
  readonly balance: bigint;
  readonly amount: bigint;
}

export interface PayoutTable {
  readonly weight: bigint;
  /** What is given to voters. */
  readonly shared: bigint;
  readonly payouts: readonly Payout[];
  /** What is left of it, as no arktoshi can be divided: less than one for each voter. */
  readonly remainder: bigint;
}

const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

/**
 * Divides `percent` of what was forged among the voters, by their balances, each share rounded down. A balance below 0,
 * which the accounts of a genesis block may have, has no share.
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
