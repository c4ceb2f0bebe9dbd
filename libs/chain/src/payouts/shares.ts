/** A block gives `amount` / `total` arktoshi to each unit of weight; nothing if the total is 0. */
export interface BlockPart {
  readonly amount: bigint;
  readonly total: bigint;
}

const givesSomething = ({ amount, total }: BlockPart): boolean => amount > 0n && total > 0n;

/** A voter's weight in the blocks from the one with the index `from` up to the stretch that follows. */
export interface Stretch {
  readonly from: number;
  readonly weight: bigint;
  readonly previous: Stretch | null;
}

/** Rounded sums are multiples of 2^-192. */
export const FRACTION_BITS = 192n;

/** What each unit of weight gets from the blocks below each index. The last index is behind the last block. */
type Sums = readonly bigint[];

const runningSums = (parts: readonly BlockPart[], unitOf: (part: BlockPart) => bigint): Sums => {
  const sums = [0n];
  let sum = 0n;
  for (const part of parts) {
    if (givesSomething(part)) sum += unitOf(part);
    sums.push(sum);
  }
  return sums;
};

/** Running sums of which each block's part is rounded down to a multiple of 2^-192. */
export const roundedSums = (parts: readonly BlockPart[]): Sums =>
  runningSums(parts, ({ amount, total }) => (amount << FRACTION_BITS) / total);

/** What a voter gets, from its newest stretch and running sums. One multiplication per stretch, not per block. */
export const shareOf = (newest: Stretch, sums: Sums): bigint => {
  let share = 0n;
  let end = sums.length - 1;
  for (let stretch: Stretch | null = newest; stretch !== null; stretch = stretch.previous) {
    if (stretch.weight > 0n) share += stretch.weight * (sums[end]! - sums[stretch.from]!);
    end = stretch.from;
  }
  return share;
};

const greatestDivisor = (one: bigint, other: bigint): bigint => {
  while (other > 0n) [one, other] = [other, one % other];
  return one;
};

/**
 * Shares as fractions with one denominator, the least that all blocks have in common. It may have 100,000 bits. So
 * these fractions are computed for few voters only.
 */
export class ExactShares {
  private readonly denominator: bigint;
  private readonly sums: Sums;

  constructor(parts: readonly BlockPart[]) {
    let denominator = 1n;
    for (const { total } of parts.filter(givesSomething)) {
      denominator *= total / greatestDivisor(denominator, total);
    }
    this.denominator = denominator;
    this.sums = runningSums(parts, ({ amount, total }) => amount * (denominator / total));
  }

  /** What a voter gets above `amount`, as the numerator over the common denominator. */
  remainder(newest: Stretch, amount: bigint): bigint {
    return shareOf(newest, this.sums) - amount * this.denominator;
  }
}
