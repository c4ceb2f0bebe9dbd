import { sha256 } from '@roundhouse/chain';
import { SeededRandom } from '../random/seeded-random.js';

/** How many of 256 delegates are careless, and the share of its slots that a careless delegate misses. */
const CARELESS = 24;
const CARELESS_MISS_RATE = 0.5;

/** Decides which slots stay empty because their delegate does not forge. */
export class MissedSlots {
  /** By public key. */
  private readonly careless = new Map<string, boolean>();

  /** `rate`: the share of slots that a careful delegate misses, from 0 to below 1. With 0 nobody misses any. */
  constructor(
    private readonly seed: string,
    private readonly rate: number,
  ) {}

  /** Other slots are missed on a `branch` that is not empty. */
  isMissed(slot: number, publicKey: string, branch: string): boolean {
    if (this.rate === 0) return false;
    const rate = this.isCareless(publicKey) ? Math.max(this.rate, CARELESS_MISS_RATE) : this.rate;
    return SeededRandom.of(this.seed, 'slot', slot, ...(branch === '' ? [] : [branch])).chance(rate);
  }

  private isCareless(publicKey: string): boolean {
    let isCareless = this.careless.get(publicKey);
    if (isCareless === undefined) {
      isCareless = sha256(`${this.seed} careless ${publicKey}`)[0]! < CARELESS;
      this.careless.set(publicKey, isCareless);
    }
    return isCareless;
  }
}
