import { sha256As } from '../crypto/crypto.js';
import { NEW_DELEGATE, type Account, type Delegate, type DelegateValue } from '../ledger/state.js';

/** The factor of one value in a sum: 128 bits that look random and are the same in every index. */
export interface Factor {
  readonly high: bigint;
  readonly low: bigint;
}

const LANE_DIGITS = 16;
const LANE_BYTES = 8;

const digestBytes = new DataView(new ArrayBuffer(2 * LANE_BYTES));

/** Both lanes of the factor are odd. So if only one value changes, the sum always changes, too. */
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
class Lanes {
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

  /** Adds another sum; with `times` -1n, takes it away. */
  addSum(other: Lanes, times: 1n | -1n): void {
    const [high, low] = other.lanes;
    this.add(times, { high: high!, low: low! });
  }

  /** 32 lower-case digits. */
  toHex(): string {
    const [high, low] = this.lanes;
    return high!.toString(16).padStart(LANE_DIGITS, '0') + low!.toString(16).padStart(LANE_DIGITS, '0');
  }
}

export const DELEGATE_VALUES = Object.keys(NEW_DELEGATE) as DelegateValue[];

export type DelegateFactors = Readonly<Record<DelegateValue, Factor>>;

const delegateFactors = (publicKey: string): DelegateFactors =>
  Object.fromEntries(
    DELEGATE_VALUES.map((value) => [value, factorOf(`${value}\t${publicKey}`)]),
  ) as DelegateFactors;

/**
 * For each table the sum of every value times that value's factor, in 32 lower-case hexadecimal digits
 * (docs/decisions/0011).
 */
export interface StateSums {
  readonly accounts: string;
  readonly delegates: string;
  /** Of open locks, and of the claims that running nodes miscount. */
  readonly locks: string;
}

/** Rows that cache factors: computing one costs more than adding a value. */
export type SummedAccount = Account & { balanceFactor: Factor | null; nonceFactor: Factor | null };
export type SummedDelegate = Delegate & { factors: DelegateFactors | null };

/** The values that most blocks change; `RunningSums` adds the others. */
export class ValueSums {
  protected readonly accounts: Lanes;
  protected readonly delegates: Lanes;
  protected readonly locks: Lanes;

  /** `sums` are the sums to begin with. (Default: those of a state without rows) */
  constructor(sums?: StateSums) {
    this.accounts = new Lanes(sums?.accounts);
    this.delegates = new Lanes(sums?.delegates);
    this.locks = new Lanes(sums?.locks);
  }

  addBalance(account: SummedAccount, amount: bigint): void {
    this.accounts.add(amount, (account.balanceFactor ??= factorOf(`balance\t${account.address}`)));
  }

  addNonce(account: SummedAccount, count: bigint): void {
    this.accounts.add(count, (account.nonceFactor ??= factorOf(`nonce\t${account.address}`)));
  }

  /** A value of a delegate grew by `amount`. */
  addValue(delegate: SummedDelegate, value: DelegateValue, amount: bigint): void {
    const factors = (delegate.factors ??= delegateFactors(delegate.publicKey));
    this.delegates.add(amount, factors[value]);
  }

  toHex(): StateSums {
    const { accounts, delegates, locks } = this;
    return { accounts: accounts.toHex(), delegates: delegates.toHex(), locks: locks.toHex() };
  }
}
