import { attributesOf, textOfAttributes, type Attributes } from '../accounts/attributes.js';
import { InvalidBlockError } from '../errors/chain-error.js';
import type { Network } from '../network/network.js';
import type { HtlcLock } from '../transactions/transaction.js';
import type { DayStatistics } from './day-counter.js';
import type { Account, Lock } from './state.js';
import { TrackedAccount } from './tracked.js';
import { WorkingSet } from './working-set.js';

/**
 * The working set that blocks are applied to: all delegates, and the accounts and open locks that the blocks touch.
 * Balances, weights and votes change only through its methods, so weights always match and each row's before-image is
 * taken once per block. Throws `InvalidBlockError` if a block contradicts the chain, and `LedgerInvariantError` if
 * the working set itself does. After an error the ledger is unusable: discard it and load a new one.
 */
export class Ledger extends WorkingSet {
  /** Unknown transaction types, as `typeGroup/type` → how many were applied. */
  readonly unknownTypes = new Map<string, number>();

  /** A ledger before the genesis block, complete in memory. */
  static empty(network: Network): Ledger {
    return new Ledger(network, true);
  }

  loadAccount(account: Account, exists: boolean): void {
    const vote = account.vote === null ? null : this.knownKey(account.vote);
    this.accounts.set(account.address, new TrackedAccount({ ...account, vote }, exists));
  }

  /** Continues the statistics of the head's day. `active`: the addresses that were active on it. */
  loadDay(day: DayStatistics, active: Iterable<string>): void {
    this.days.load(day, active);
  }

  setSecondPublicKey(account: TrackedAccount, secondPublicKey: string): void {
    this.redirect(account, { secondPublicKey });
  }

  /** Sets the members, as `textOfMembers` writes them. */
  setMultiSignature(account: TrackedAccount, multiSignature: string): void {
    this.redirect(account, { multiSignature });
  }

  /** Changes what rarer transaction types have left at the account. `change` returns what it got if nothing changes. */
  amend(account: TrackedAccount, change: (attributes: Attributes) => Attributes): void {
    if (!this.keepsDetails) return;
    const known = attributesOf(account.attributes);
    const changed = change(known);
    if (changed !== known) this.redirect(account, { attributes: textOfAttributes(changed) });
  }

  /** Moves the account's whole weight to another delegate, or to none. */
  setVote(account: TrackedAccount, vote: string | null): void {
    const weight = account.balance + account.locked;
    if (account.vote !== null) this.weigh(account.vote, -weight);
    this.redirect(account, { vote: vote === null ? null : this.knownKey(vote) });
    if (vote !== null) this.weigh(vote, weight);
  }

  openLock(lock: Lock, terms: HtlcLock): void {
    this.lockTerms.set(lock.transactionId, terms);
    const { height, undo, changes } = this.journal;
    undo?.locks.push({ ...lock, height, existed: false });
    changes.locks.set(lock.transactionId, lock);
    this.sums.openLock(lock);
    this.locks.set(lock.transactionId, lock);
  }

  /** Removes an open lock after a claim or a refund. Throws `InvalidBlockError`. */
  closeLock(transactionId: string): Lock {
    const { height, undo, changes } = this.journal;
    const lock = this.locks.get(transactionId);
    if (lock === undefined) {
      throw new InvalidBlockError(height, `lock ${transactionId} is claimed or refunded but is not open`);
    }
    // If the block has opened it, its first image says all: it did not exist before the block.
    if (!undo?.locks.some((image) => image.transactionId === transactionId))
      undo?.locks.push({ ...lock, height, existed: true });
    changes.locks.set(transactionId, null);
    this.sums.closeLock(lock);
    this.locks.delete(transactionId);
    this.lockTerms.delete(transactionId);
    // Also while the working set is complete: it may end to be so before the tables lack the lock.
    this.closedLocks.add(transactionId);
    return lock;
  }

  countUnknownType(typeGroup: number, type: number): void {
    const key = `${typeGroup}/${type}`;
    this.unknownTypes.set(key, (this.unknownTypes.get(key) ?? 0) + 1);
  }

  /** Whether the ledger knows if this lock is open, without asking the tables. */
  knowsLock(transactionId: string): boolean {
    return this.locks.has(transactionId) || this.closedLocks.has(transactionId);
  }
}
