import type { RoundDigest } from '../digest/round-digest.js';
import type { StateSums } from '../digest/running-sums.js';
import { ChangesSoFar, type LedgerChanges, type UndoRecords } from './changes.js';
import type { BlockUndo, ForgingRound, LedgerHead, Lock } from './state.js';
import type { TrackedAccount, TrackedDelegate } from './tracked.js';

/** Notes what the ledger changes, each row once a block: for the tables, and for undoing blocks. */
export class Journal {
  private blockHeight = 0;
  /** The first height whose changes have not been taken: what was touched below it is on no list of changes. */
  private changesFrom = 1;
  private undo: BlockUndo | null = null;
  private changes = new ChangesSoFar();
  /** The height of the last sums that there were. */
  private sumsAt = 0;

  /** Of the block in hand. */
  get height(): number {
    return this.blockHeight;
  }

  /** How many rows of accounts the next changes will be about. */
  get changedAccounts(): number {
    return this.changes.createdAccounts.size + this.changes.updatedAccounts.size;
  }

  begin(height: number, keepsUndo: boolean): void {
    this.blockHeight = height;
    this.undo = keepsUndo ? { height, accounts: [], delegates: [], locks: [] } : null;
    if (this.undo) this.changes.undo.push(this.undo);
  }

  /** To be called once a block, before the account changes. */
  touchAccount(account: TrackedAccount): void {
    const { address, publicKey, balance, locked, vote, exists, touchedAt } = account;
    account.touchedAt = this.blockHeight;
    this.undo?.accounts.push({ address, publicKey, balance, locked, vote, existed: exists });
    if (touchedAt < this.changesFrom)
      (exists ? this.changes.updatedAccounts : this.changes.createdAccounts).add(account);
    account.exists = true;
  }

  /** The account's key or vote is another. */
  redirectAccount(account: TrackedAccount): void {
    this.changes.redirectedAccounts.add(account);
  }

  /** To be called once a block, before the delegate changes. */
  touchDelegate(delegate: TrackedDelegate): void {
    const { touchedAt: lastTouchedAt } = delegate;
    delegate.touchedAt = this.blockHeight;
    if (this.undo) {
      const { exists, touchedAt: _touchedAt, factors: _factors, ...image } = delegate;
      this.undo.delegates.push({ ...image, existed: exists });
    }
    delegate.exists = true;
    if (lastTouchedAt < this.changesFrom) this.changes.delegates.add(delegate);
  }

  openLock(lock: Lock): void {
    this.undo?.locks.push({ ...lock, existed: false });
    this.changes.locks.set(lock.transactionId, lock);
  }

  closeLock(lock: Lock): void {
    this.undo?.locks.push({ ...lock, existed: true });
    this.changes.locks.set(lock.transactionId, null);
  }

  startRound(round: ForgingRound): void {
    this.changes.rounds.push(round);
  }

  digestRound(digest: RoundDigest): void {
    this.changes.roundDigests.push(digest);
  }

  /** Notes what the state comes to at the head, where that is not noted yet. */
  noteSums({ height, id }: LedgerHead, sums: () => StateSums): void {
    if (height === this.sumsAt) return;
    this.changes.sums.push({ height, id, ...sums() });
    this.sumsAt = height;
  }

  /** The sums at this height are in the tables. */
  knowSumsAt(height: number): void {
    this.sumsAt = height;
  }

  /** The undo records since the last call, or since `takeChanges`, which will not have them. */
  takeUndo(): UndoRecords {
    return this.changes.takeUndo();
  }

  /** What has changed since the last call. */
  takeChanges(): LedgerChanges {
    const { changes } = this;
    this.changes = new ChangesSoFar();
    this.changesFrom = this.blockHeight + 1;
    return changes;
  }
}
