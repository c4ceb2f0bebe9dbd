import { sortNearlySorted } from './sort-nearly-sorted.js';
import type { Delegate } from './state.js';

type Ranked = Pick<Delegate, 'number' | 'publicKey' | 'weight' | 'isResigned'>;

/** Larger weight first; equal weights by public key (protocol.md, "Rounds"). */
const byRank = (a: Pick<Ranked, 'publicKey' | 'weight'>, b: Pick<Ranked, 'publicKey' | 'weight'>): number => {
  if (a.weight !== b.weight) return a.weight > b.weight ? -1 : 1;
  return a.publicKey < b.publicKey ? -1 : 1;
};

/** Sorts in place: ranks change little between rounds, and sorting a nearly sorted list is cheap. */
export const sortRanking = (ranking: Ranked[]): void => sortNearlySorted(ranking, byRank);

/** What weights differ from the sums of votes: the number of a delegate → arktoshi. */
export type Drift = ReadonlyMap<number, bigint>;

export const byNumber = (ranking: readonly Ranked[]): ReadonlyMap<number, Ranked> =>
  new Map(ranking.map((delegate) => [delegate.number, delegate]));

/**
 * The public keys of the first `count` delegates that have not resigned, by weight and drift. `ranking` is sorted by
 * weight alone; the delegates with a drift, which `numbered` has, are merged into it.
 */
export const activeDelegates = (
  ranking: readonly Ranked[],
  count: number,
  drift: Drift,
  numbered: ReadonlyMap<number, Ranked>,
): string[] => {
  const moved: Pick<Ranked, 'publicKey' | 'weight'>[] = [];
  for (const [number, amount] of drift) {
    const known = numbered.get(number);
    if (known && !known.isResigned) moved.push({ publicKey: known.publicKey, weight: known.weight + amount });
  }
  moved.sort(byRank);
  const active: string[] = [];
  let place = 0;
  for (const delegate of ranking) {
    if (delegate.isResigned || drift.has(delegate.number)) continue;
    for (; place < moved.length && byRank(moved[place]!, delegate) < 0; place += 1)
      active.push(moved[place]!.publicKey);
    if (active.length >= count) break;
    active.push(delegate.publicKey);
  }
  for (const { publicKey } of moved.slice(place)) active.push(publicKey);
  return active.slice(0, count);
};
