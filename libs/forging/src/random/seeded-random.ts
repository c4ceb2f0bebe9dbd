import { sha256 } from '@roundhouse/chain';

const TWO_POW_32 = 0x1_0000_0000;

/**
 * A stream of random numbers determined by its seed (sfc32). Not for secrets. Another generator would
 * change the chain of every seed.
 */
export class SeededRandom {
  private constructor(
    private a: number,
    private b: number,
    private c: number,
    private counter: number,
  ) {}

  /** Returns the stream that these parts determine. Draws from other streams do not change it. */
  static of(...parts: readonly (string | number)[]): SeededRandom {
    const hash = sha256(parts.join('/'));
    return new SeededRandom(
      hash.readInt32LE(0),
      hash.readInt32LE(4),
      hash.readInt32LE(8),
      hash.readInt32LE(12),
    );
  }

  /** At least 0 and below 1. */
  fraction(): number {
    return this.next() / TWO_POW_32;
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** An amount from `low` to `high`, both included. Every digit is drawn, so few amounts are round. */
  amount(low: bigint, high: bigint): bigint {
    const drawn = (BigInt(this.next()) << 32n) | BigInt(this.next());
    return low + (drawn % (high - low + 1n));
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new RangeError('The list to pick from is empty.');
    return item;
  }

  /** Returns the values in random order. */
  shuffle<T>(values: readonly T[]): T[] {
    const shuffled = [...values];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
    }
    return shuffled;
  }

  private next(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + sum) | 0;
    return sum >>> 0;
  }
}
