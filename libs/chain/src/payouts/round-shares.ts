import { ExactShares, FRACTION_BITS, roundedSums, shareOf, type BlockPart, type Stretch } from './shares.js';

/** What a voter gets, in arktoshi. */
export interface Payout {
  readonly address: string;
  readonly amount: bigint;
}

type Amount = { -readonly [Key in keyof Payout]: Payout[Key] };

/**
 * The bits of a remainder that are compared first. A voter's rounded share is a little less than the exact one: the
 * difference is below the sum of its weights in all blocks, in units of 2^-192. That is far below 2^-64. So an exact
 * remainder, in units of 2^-64, is at least its key and less than its key + DOUBT.
 */
const KEY_BITS = 64;
const DOUBT = 2n;

const historyOf = (newest: Stretch): string => {
  let history = '';
  for (let stretch: Stretch | null = newest; stretch !== null; stretch = stretch.previous) {
    history += `${stretch.from}:${stretch.weight} `;
  }
  return history;
};

/** By exact remainder, largest first, then by address. Keeps no remainder twice: each may have 100,000 bits. */
const sortExactly = (
  amounts: readonly Amount[],
  newest: ReadonlyMap<string, Stretch>,
  exact: ExactShares,
): Amount[] => {
  const byRemainder = new Map<bigint, Amount[]>();
  const byHistory = new Map<string, Amount[]>();
  for (const amount of amounts) {
    const stretch = newest.get(amount.address)!;
    const history = historyOf(stretch);
    let equals = byHistory.get(history);
    if (equals === undefined) {
      const remainder = exact.remainder(stretch, amount.amount);
      equals = byRemainder.get(remainder) ?? [];
      byRemainder.set(remainder, equals);
      byHistory.set(history, equals);
    }
    equals.push(amount);
  }
  return [...byRemainder]
    .sort(([one], [other]) => (one > other ? -1 : 1))
    .flatMap(([, equals]) => equals.sort((one, other) => (one.address < other.address ? -1 : 1)));
};

/**
 * Rounds each voter's share to whole arktoshi. First all are rounded down. Then those with the largest remainders are
 * rounded up, until the sum is `shared`: the exact sum of all shares, rounded down. If remainders are equal, the lower
 * address is rounded up first.
 *
 * Exact remainders are computed only where the keys do not tell which is larger. A rounded share may be just below a
 * whole number that the exact one reaches. Then its remainder is the largest, so it is rounded up to that number.
 */
export const roundShares = (
  newest: ReadonlyMap<string, Stretch>,
  parts: readonly BlockPart[],
  shared: bigint,
): Payout[] => {
  const sums = roundedSums(parts);
  const amounts: Amount[] = [];
  const keys = new BigUint64Array(newest.size);
  let left = shared;
  for (const [address, stretch] of newest) {
    const share = shareOf(stretch, sums);
    const amount = share >> FRACTION_BITS;
    keys[amounts.length] = BigInt.asUintN(KEY_BITS, share >> (FRACTION_BITS - BigInt(KEY_BITS)));
    amounts.push({ address, amount });
    left -= amount;
  }
  if (left === 0n) return amounts;

  const last = keys.toSorted()[keys.length - Number(left)]!;
  const doubtful: Amount[] = [];
  for (const [i, amount] of amounts.entries()) {
    if (keys[i]! > last + DOUBT) {
      amount.amount += 1n;
      left -= 1n;
    } else if (keys[i]! >= last - DOUBT) {
      doubtful.push(amount);
    }
  }
  const count = Number(left);
  const first = doubtful.length > count ? sortExactly(doubtful, newest, new ExactShares(parts)) : doubtful;
  for (const amount of first.slice(0, count)) amount.amount += 1n;
  return amounts;
};
