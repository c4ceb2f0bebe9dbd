import type { Account, Delegate } from '../ledger/state.js';
import { factorOf, type Factor, type Lanes } from './lanes.js';

/** An account counts by being there, its texts with it, and by its amounts. */
const accountTexts = (address: string, publicKey: string | null, vote: string | null): Factor =>
  factorOf(`account\t${address}\t${publicKey ?? ''}\t${vote ?? ''}`);

/** What a sum holds for an account: nothing yet for one that the chain has only just made. */
export class AccountMark {
  private readonly balanceFactor: Factor;
  private isCounted: boolean;
  private publicKey: string | null;
  private vote: string | null;
  private balance: bigint;
  private locked: bigint;

  constructor({ address, publicKey, vote, balance, locked }: Account, isCounted: boolean) {
    this.balanceFactor = factorOf(`balance\t${address}`);
    this.isCounted = isCounted;
    this.publicKey = publicKey;
    this.vote = vote;
    this.balance = isCounted ? balance : 0n;
    this.locked = isCounted ? locked : 0n;
  }

  /** Makes the sum hold for the account as it is now. */
  moveTo({ address, publicKey, vote, balance, locked }: Account, sum: Lanes): void {
    if (!this.isCounted || this.vote !== vote || this.publicKey !== publicKey) {
      if (this.isCounted) sum.add(-1n, accountTexts(address, this.publicKey, this.vote));
      sum.add(1n, accountTexts(address, publicKey, vote));
      this.isCounted = true;
      this.publicKey = publicKey;
      this.vote = vote;
    }
    if (this.balance !== balance) {
      sum.add(balance - this.balance, this.balanceFactor);
      this.balance = balance;
    }
    if (this.locked !== locked) {
      sum.add(locked - this.locked, factorOf(`locked\t${address}`));
      this.locked = locked;
    }
  }
}

interface DelegateFactors {
  readonly weight: Factor;
  readonly forgedFees: Factor;
  readonly forgedRewards: Factor;
  readonly producedBlocks: Factor;
  readonly missedBlocks: Factor;
  readonly isResigned: Factor;
}

const delegateFactors = (publicKey: string): DelegateFactors => {
  const of = (column: keyof DelegateFactors): Factor => factorOf(`${column}\t${publicKey}`);
  return {
    weight: of('weight'),
    forgedFees: of('forgedFees'),
    forgedRewards: of('forgedRewards'),
    producedBlocks: of('producedBlocks'),
    missedBlocks: of('missedBlocks'),
    isResigned: of('isResigned'),
  };
};

/** What of a delegate never changes. */
const delegateTexts = (delegate: Delegate): Factor => {
  const { publicKey, address, registeredHeight, registeredSequence, username } = delegate;
  return factorOf(
    `delegate\t${publicKey}\t${address}\t${registeredHeight}\t${registeredSequence}\t${username}`,
  );
};

/** As `AccountMark`, for a delegate. */
export class DelegateMark {
  private readonly factors: DelegateFactors;
  private isCounted: boolean;
  private weight: bigint;
  private forgedFees: bigint;
  private forgedRewards: bigint;
  private producedBlocks: number;
  private missedBlocks: number;
  private isResigned: boolean;

  constructor(delegate: Delegate, isCounted: boolean) {
    this.factors = delegateFactors(delegate.publicKey);
    this.isCounted = isCounted;
    this.weight = isCounted ? delegate.weight : 0n;
    this.forgedFees = isCounted ? delegate.forgedFees : 0n;
    this.forgedRewards = isCounted ? delegate.forgedRewards : 0n;
    this.producedBlocks = isCounted ? delegate.producedBlocks : 0;
    this.missedBlocks = isCounted ? delegate.missedBlocks : 0;
    this.isResigned = isCounted && delegate.isResigned;
  }

  moveTo(delegate: Delegate, sum: Lanes): void {
    const { factors } = this;
    const { weight, forgedFees, forgedRewards, producedBlocks, missedBlocks, isResigned } = delegate;
    if (!this.isCounted) {
      sum.add(1n, delegateTexts(delegate));
      this.isCounted = true;
    }
    if (this.weight !== weight) {
      sum.add(weight - this.weight, factors.weight);
      this.weight = weight;
    }
    if (this.forgedFees !== forgedFees) {
      sum.add(forgedFees - this.forgedFees, factors.forgedFees);
      this.forgedFees = forgedFees;
    }
    if (this.forgedRewards !== forgedRewards) {
      sum.add(forgedRewards - this.forgedRewards, factors.forgedRewards);
      this.forgedRewards = forgedRewards;
    }
    if (this.producedBlocks !== producedBlocks) {
      sum.add(BigInt(producedBlocks - this.producedBlocks), factors.producedBlocks);
      this.producedBlocks = producedBlocks;
    }
    if (this.missedBlocks !== missedBlocks) {
      sum.add(BigInt(missedBlocks - this.missedBlocks), factors.missedBlocks);
      this.missedBlocks = missedBlocks;
    }
    if (this.isResigned !== isResigned) {
      sum.add(isResigned ? 1n : -1n, factors.isResigned);
      this.isResigned = isResigned;
    }
  }
}
