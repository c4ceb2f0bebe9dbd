import { sortNearlySorted } from './sort-nearly-sorted.js';
import type { Delegate } from './state.js';

/** Larger weight first; equal weights by public key (protocol.md, "Rounds"). */
const byRank = (a: Delegate, b: Delegate): number => {
  if (a.weight !== b.weight) return a.weight > b.weight ? -1 : 1;
  return a.publicKey < b.publicKey ? -1 : 1;
};

/**
 * The public keys of the first `count` delegates that have not resigned. Sorts `ranking` in place: ranks change
 * little between rounds, and sorting a nearly sorted list is cheap.
 */
export const activeDelegates = <T extends Delegate>(ranking: T[], count: number): string[] => {
  const active: string[] = [];
  sortNearlySorted(ranking, byRank);
  for (const delegate of ranking) {
    if (active.length === count) break;
    if (!delegate.isResigned) active.push(delegate.publicKey);
  }
  return active;
};
