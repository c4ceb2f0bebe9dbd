import type { DelegateFactors, Factor, SummedAccount, SummedDelegate } from '../digest/value-sums.js';
import { NEW_DELEGATE, type Account, type Delegate, type Registration } from './state.js';

// These are classes, so that all rows have the same hidden class in V8. Object literals with a spread have different
// ones, which slows the ledger down by a third.

/** A row of the working set, with what the journal needs to know about it. */
interface Tracked {
  /** Whether the row exists at this point of the chain; false until a block first touches it. */
  exists: boolean;
  /** The last height at which a before-image was taken. */
  touchedAt: number;
}

export class TrackedAccount implements SummedAccount, Tracked {
  readonly address: string;
  number: number;
  publicKey: string | null;
  balance: bigint;
  locked: bigint;
  vote: string | null;
  nonce: number;
  secondPublicKey: string | null;
  multiSignature: string | null;
  attributes: string | null;
  exists: boolean;
  touchedAt = 0;
  balanceFactor: Factor | null = null;
  nonceFactor: Factor | null = null;

  constructor(account: Account, exists: boolean) {
    this.address = account.address;
    this.number = account.number;
    this.publicKey = account.publicKey;
    this.balance = account.balance;
    this.locked = account.locked;
    this.vote = account.vote;
    this.nonce = account.nonce;
    this.secondPublicKey = account.secondPublicKey;
    this.multiSignature = account.multiSignature;
    this.attributes = account.attributes;
    this.exists = exists;
  }
}

class DelegateRow implements Registration {
  readonly number = 0;
  readonly publicKey = '';
  readonly address = '';
  readonly username = '';
  readonly registeredHeight = 0;
  readonly registeredSequence = 0;

  constructor(delegate: Registration & Partial<Delegate>) {
    Object.assign(this, NEW_DELEGATE, delegate);
  }
}

export class TrackedDelegate
  extends (DelegateRow as new (delegate: Registration & Partial<Delegate>) => Delegate)
  implements SummedDelegate, Tracked
{
  exists: boolean;
  touchedAt = 0;
  factors: DelegateFactors | null = null;

  /** Values that are not given are those of a new delegate. */
  constructor(delegate: Registration & Partial<Delegate>, exists: boolean) {
    super(delegate);
    this.exists = exists;
  }
}
