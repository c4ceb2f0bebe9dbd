import type { DelegateFactors } from '../digest/factors.js';
import type { Factor } from '../digest/lanes.js';
import type { SummedAccount, SummedDelegate } from '../digest/running-sums.js';
import type { Account, Delegate } from './state.js';

// These are classes so that all rows have one hidden class in V8. Object literals with a spread do not, and slow the
// ledger down by a third.

/** A row of the working set, with what the journal needs to know about it. */
interface Tracked {
  /** Whether the row exists at this point of the chain; false until a block first touches it. */
  exists: boolean;
  /** The last height at which a before-image was taken. */
  touchedAt: number;
}

export class TrackedAccount implements SummedAccount, Tracked {
  readonly address: string;
  publicKey: string | null;
  balance: bigint;
  locked: bigint;
  vote: string | null;
  exists: boolean;
  touchedAt = 0;
  balanceFactor: Factor | null = null;

  constructor({ address, publicKey, balance, locked, vote }: Account, exists: boolean) {
    this.address = address;
    this.publicKey = publicKey;
    this.balance = balance;
    this.locked = locked;
    this.vote = vote;
    this.exists = exists;
  }
}

export class TrackedDelegate implements SummedDelegate, Tracked {
  readonly publicKey: string;
  readonly address: string;
  readonly username: string;
  readonly registeredHeight: number;
  readonly registeredSequence: number;
  weight: bigint;
  isResigned: boolean;
  producedBlocks: number;
  missedBlocks: number;
  forgedFees: bigint;
  forgedRewards: bigint;
  exists: boolean;
  touchedAt = 0;
  factors: DelegateFactors | null = null;

  constructor(delegate: Delegate, exists: boolean) {
    this.publicKey = delegate.publicKey;
    this.address = delegate.address;
    this.username = delegate.username;
    this.registeredHeight = delegate.registeredHeight;
    this.registeredSequence = delegate.registeredSequence;
    this.weight = delegate.weight;
    this.isResigned = delegate.isResigned;
    this.producedBlocks = delegate.producedBlocks;
    this.missedBlocks = delegate.missedBlocks;
    this.forgedFees = delegate.forgedFees;
    this.forgedRewards = delegate.forgedRewards;
    this.exists = exists;
  }
}
