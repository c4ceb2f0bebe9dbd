import type { Delegate } from './state.js';

/** Larger weight first, then public key (protocol.md, "Rounds"). */
const byRank = (a: Delegate, b: Delegate): number => {
  if (a.weight !== b.weight) return a.weight > b.weight ? -1 : 1;
  return a.publicKey < b.publicKey ? -1 : 1;
};

/** The public keys of the first `count` delegates that have not resigned. */
export const activeDelegates = (delegates: Iterable<Delegate>, count: number): string[] =>
  [...delegates]
    .filter((delegate) => !delegate.isResigned)
    .sort(byRank)
    .slice(0, count)
    .map((delegate) => delegate.publicKey);
