import type { Account, Delegate, Lock } from '../ledger/state.js';
import {
  accountTexts,
  balanceFactor,
  delegateFactors,
  delegateTexts,
  lockedFactor,
  lockFactor,
  type DelegateFactors,
} from './factors.js';
import { Lanes, type Factor } from './lanes.js';

/**
 * What all rows of each table come to: the sum of every value times a factor of its own, in 32 lower-case hexadecimal
 * digits (docs/decisions/0011).
 */
export interface StateSums {
  readonly accounts: string;
  readonly delegates: string;
  readonly locks: string;
}

/** A row that keeps the factor it is asked for most, once it was made. */
export type SummedAccount = Account & { balanceFactor: Factor | null };
export type SummedDelegate = Delegate & { factors: DelegateFactors | null };

const factorsOf = (delegate: SummedDelegate): DelegateFactors =>
  (delegate.factors ??= delegateFactors(delegate.publicKey));

/** The sums of a state that changes: each change is brought in as it is made, while the row is at hand. */
export class RunningSums {
  private readonly accounts: Lanes;
  private readonly delegates: Lanes;
  private readonly locks: Lanes;

  /** Without sums: of a state without a row. */
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

  /** An account's key and vote; to be taken out before they change, and added afterwards. */
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
    const { delegates } = this;
    const factors = factorsOf(delegate);
    delegates.add(1n, delegateTexts(delegate));
    delegates.add(delegate.weight, factors.weight);
    delegates.add(delegate.forgedFees, factors.forgedFees);
    delegates.add(delegate.forgedRewards, factors.forgedRewards);
    delegates.add(BigInt(delegate.producedBlocks), factors.producedBlocks);
    delegates.add(BigInt(delegate.missedBlocks), factors.missedBlocks);
    if (delegate.isResigned) this.addResignation(delegate);
  }

  addWeight(delegate: SummedDelegate, weight: bigint): void {
    this.delegates.add(weight, factorsOf(delegate).weight);
  }

  addForged(delegate: SummedDelegate, fees: bigint, reward: bigint): void {
    const { delegates } = this;
    const { producedBlocks, forgedFees, forgedRewards } = factorsOf(delegate);
    delegates.add(1n, producedBlocks);
    if (fees !== 0n) delegates.add(fees, forgedFees);
    if (reward !== 0n) delegates.add(reward, forgedRewards);
  }

  addMissed(delegate: SummedDelegate): void {
    this.delegates.add(1n, factorsOf(delegate).missedBlocks);
  }

  addResignation(delegate: SummedDelegate): void {
    this.delegates.add(1n, factorsOf(delegate).isResigned);
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
