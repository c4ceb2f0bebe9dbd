import { roundShares, type Payout } from './round-shares.js';
import type { Stretch } from './shares.js';

/** A block that the delegate forged. Amounts in arktoshi. */
export interface ForgedBlock {
  readonly height: number;
  readonly reward: bigint;
  readonly fees: bigint;
}

export interface PayoutOptions {
  /** The voters' part of each block, in millionths of a percent: from 0 to 100,000,000. */
  readonly share: bigint;
  /** A voter with less weight gets nothing. In arktoshi. */
  readonly minimum: bigint;
  /** A larger weight counts as this, before `minimum` is applied. In arktoshi; null if there is no limit. */
  readonly cap: bigint | null;
  /** Addresses that get nothing and whose weight does not count. */
  readonly exclude: ReadonlySet<string>;
}

/** Amounts in arktoshi; shared + kept = rewards + fees. */
export interface PayoutTotals {
  readonly forgedBlocks: number;
  readonly rewards: bigint;
  readonly fees: bigint;
  /** The sum of all payouts: the exact sum of all shares, rounded down. */
  readonly shared: bigint;
  /** The rest: the delegate's part, blocks without a voter that counts, and what rounding down `shared` leaves. */
  readonly kept: bigint;
}

/** 100 percent, in millionths of a percent. */
export const WHOLE_SHARE = 100_000_000n;

const largestFirst = (one: Payout, other: Payout): number => {
  if (one.amount !== other.amount) return one.amount > other.amount ? -1 : 1;
  return one.address < other.address ? -1 : 1;
};

/**
 * Shares what a delegate forged among its voters. Each block is shared by the weights after the block below it. A
 * voter's shares of all blocks are added up exactly. Then the sums are rounded to whole arktoshi by largest remainder.
 *
 * First set the weights with `setWeight`, in the order of their heights. Then take the `result`.
 */
export class Payouts {
  private readonly newest = new Map<string, Stretch>();
  /** For each block whose voters are known, the sum of the weights that count. */
  private readonly totals: bigint[] = [];
  private total = 0n;
  private height = 0;

  /** `blocks` ascend. Throws RangeError if the share is not from 0 to 100 percent. */
  constructor(
    private readonly blocks: readonly ForgedBlock[],
    private readonly options: PayoutOptions,
  ) {
    if (options.share < 0n || options.share > WHOLE_SHARE) {
      throw new RangeError(`The share is ${options.share}: use 0 to ${WHOLE_SHARE} millionths of a percent.`);
    }
  }

  /**
   * Sets an account's weight after the block at `height`, in arktoshi; 0 if it no longer votes for the delegate. Begin
   * with all voters as they were before the first forged block. Then give each change. Throws RangeError if a height is
   * lower than the one before.
   */
  setWeight(height: number, address: string, weight: bigint): void {
    if (height < this.height) {
      throw new RangeError(`A weight at height ${height} came after one at ${this.height}: sort by height.`);
    }
    this.height = height;
    this.closeTotals(height);
    const last = this.newest.get(address) ?? null;
    const counts = this.countedWeight(address, weight);
    const countedBefore = last?.weight ?? 0n;
    if (counts === countedBefore) return;
    this.total += counts - countedBefore;
    const from = this.totals.length;
    // Between two forged blocks only the last weight counts.
    const previous = last?.from === from ? last.previous : last;
    this.newest.set(address, { from, weight: counts, previous });
  }

  /** All payouts, each more than 0: largest first, then by address. */
  result(): { payouts: Payout[]; totals: PayoutTotals } {
    this.closeTotals(Infinity);
    const totals = this.sumUp();
    const parts = this.blocks.map(({ reward, fees }, i) => ({
      amount: (reward + fees) * this.options.share,
      total: this.totals[i]! * WHOLE_SHARE,
    }));
    const payouts = roundShares(this.newest, parts, totals.shared)
      .filter(({ amount }) => amount > 0n)
      .sort(largestFirst);
    return { payouts, totals };
  }

  /** The voters of the blocks up to `height` are those who are known now. */
  private closeTotals(height: number): void {
    const { blocks, totals } = this;
    while (totals.length < blocks.length && blocks[totals.length]!.height <= height) totals.push(this.total);
  }

  private countedWeight(address: string, weight: bigint): bigint {
    const { minimum, cap, exclude } = this.options;
    const capped = cap !== null && weight > cap ? cap : weight;
    return capped <= 0n || capped < minimum || exclude.has(address) ? 0n : capped;
  }

  private sumUp(): PayoutTotals {
    let [rewards, fees, forVoters] = [0n, 0n, 0n];
    for (const [i, block] of this.blocks.entries()) {
      rewards += block.reward;
      fees += block.fees;
      if (this.totals[i]! > 0n) forVoters += block.reward + block.fees;
    }
    const shared = (forVoters * this.options.share) / WHOLE_SHARE;
    return { forgedBlocks: this.blocks.length, rewards, fees, shared, kept: rewards + fees - shared };
  }
}
