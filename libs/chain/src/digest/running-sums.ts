import type { Account, Delegate, DelegateValue, Lock } from '../ledger/state.js';
import {
  accountTexts,
  balanceFactor,
  DELEGATE_VALUES,
  delegateFactors,
  lockedFactor,
  lockFactor,
  registrationTexts,
  type DelegateFactors,
} from './factors.js';
import { Lanes, type Factor } from './lanes.js';

/**
 * For each table the sum of every value times that value's factor, in 32 lower-case hexadecimal digits
 * (docs/decisions/0011).
 */
export interface StateSums {
  readonly accounts: string;
  readonly delegates: string;
  readonly locks: string;
}

/** Rows that cache factors: computing one costs more than adding a value. */
export type SummedAccount = Account & { balanceFactor: Factor | null };
export type SummedDelegate = Delegate & { factors: DelegateFactors | null };

/** The sums of a state that changes: each change is added when it is made. */
export class RunningSums {
  private readonly accounts: Lanes;
  private readonly delegates: Lanes;
  private readonly locks: Lanes;

  /** Without `sums`, the sums of a state without rows. */
  constructor(sums?: StateSums) {
    this.accounts = new Lanes(sums?.accounts);
    this.delegates = new Lanes(sums?.delegates);
    this.locks = new Lanes(sums?.locks);
  }

  addAccount(account: SummedAccount): void {
    this.addTexts(account);
    if (account.balance !== 0n) this.addBalance(account, account.balance);
    if (account.locked !== 0n) this.addLocked(account, account.locked);
  }

  /** Adds an account's key and vote. Call `removeTexts` before either changes, and this again afterwards. */
  addTexts(account: Account): void {
    this.accounts.add(1n, accountTexts(account));
  }

  removeTexts(account: Account): void {
    this.accounts.add(-1n, accountTexts(account));
  }

  addBalance(account: SummedAccount, amount: bigint): void {
    this.accounts.add(amount, (account.balanceFactor ??= balanceFactor(account.address)));
  }

  addLocked({ address }: Account, amount: bigint): void {
    this.accounts.add(amount, lockedFactor(address));
  }

  addDelegate(delegate: SummedDelegate): void {
    this.delegates.add(1n, registrationTexts(delegate));
    for (const value of DELEGATE_VALUES) this.addValue(delegate, value, BigInt(delegate[value]));
  }

  /** A value of a delegate grew by `amount`. */
  addValue(delegate: SummedDelegate, value: DelegateValue, amount: bigint): void {
    const factors = (delegate.factors ??= delegateFactors(delegate.publicKey));
    this.delegates.add(amount, factors[value]);
  }

  openLock(lock: Lock): void {
    this.locks.add(1n, lockFactor(lock));
  }

  closeLock(lock: Lock): void {
    this.locks.add(-1n, lockFactor(lock));
  }

  toHex(): StateSums {
    const { accounts, delegates, locks } = this;
    return { accounts: accounts.toHex(), delegates: delegates.toHex(), locks: locks.toHex() };
  }
}
