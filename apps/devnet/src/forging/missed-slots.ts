import { sha256 } from '@roundhouse/chain';
import { SeededRandom } from '../random/seeded-random.js';

/** Of 256 delegates so many are careless, and those miss their slots so often. */
const CARELESS = 24;
const CARELESS_MISS_RATE = 0.5;

/** Which slots pass without a block, because the delegate whose turn it is does not forge. */
export class MissedSlots {
  /** `rate`: how often a careful delegate misses its slot, 0 to below 1; with 0 nobody ever misses. */
  constructor(
    private readonly seed: string,
    private readonly rate: number,
  ) {}

  isMissed(slot: number, publicKey: string): boolean {
    if (this.rate === 0) return false;
    const isCareless = sha256(`${this.seed} careless ${publicKey}`)[0]! < CARELESS;
    const rate = isCareless ? Math.max(this.rate, CARELESS_MISS_RATE) : this.rate;
    return SeededRandom.of(this.seed, 'slot', slot).chance(rate);
  }
}
