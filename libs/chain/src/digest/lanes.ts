import { sha256As } from '../crypto/hashes.js';

/** What a value is multiplied with in a sum: 128 bits that look random and are the same in every index. */
export interface Factor {
  readonly high: bigint;
  readonly low: bigint;
}

const LANE_DIGITS = 16;
const LANE_BYTES = 8;

const digestBytes = new DataView(new ArrayBuffer(2 * LANE_BYTES));

/** Odd in both lanes: a sum always changes if only one value changes. */
export const factorOf = (text: string): Factor => {
  // Reading a binary string is the fastest way to get integers from a digest.
  const digest = sha256As('binary', text);
  for (let i = 0; i < 2 * LANE_BYTES; i += 1) digestBytes.setUint8(i, digest.charCodeAt(i));
  for (const last of [LANE_BYTES - 1, 2 * LANE_BYTES - 1])
    digestBytes.setUint8(last, digestBytes.getUint8(last) | 1);
  return { high: digestBytes.getBigUint64(0), low: digestBytes.getBigUint64(LANE_BYTES) };
};

/**
 * A sum of values times their factors, modulo 2^64 in each of two lanes. V8 calculates modulo 2^64 without an object for
 * each step; another modulus would need one (docs/decisions/0011).
 */
export class Lanes {
  private readonly lanes: BigUint64Array;

  /** `hex` as `toHex` returns it. */
  constructor(hex = '') {
    this.lanes = BigUint64Array.of(
      BigInt(`0x0${hex.slice(0, LANE_DIGITS)}`),
      BigInt(`0x0${hex.slice(LANE_DIGITS)}`),
    );
  }

  add(value: bigint, { high, low }: Factor): void {
    const { lanes } = this;
    lanes[0] = BigInt.asUintN(64, lanes[0]! + value * high);
    lanes[1] = BigInt.asUintN(64, lanes[1]! + value * low);
  }

  /** 32 lower-case digits. */
  toHex(): string {
    const [high, low] = this.lanes;
    return high!.toString(16).padStart(LANE_DIGITS, '0') + low!.toString(16).padStart(LANE_DIGITS, '0');
  }
}
