import type { RoundDigest } from '../digest/round-digest.js';
import type { StateSums } from '../digest/running-sums.js';
import type { BlockRecords, LedgerChanges, SumsAtBlock } from './changes.js';
import type { DayStatistics } from './day-counter.js';
import { HistoryJournal } from './history-journal.js';
import type {
  Account,
  BlockUndo,
  ClaimDrift,
  Delegate,
  LedgerHead,
  Lock,
  MisplacedBlock,
  NumberedRound,
  Ranking,
  RoundCandidate,
  RoundRevision,
} from './state.js';
import type { TrackedAccount, TrackedDelegate } from './tracked.js';

/** Changes that are still being collected. */
class ChangesSoFar {
  readonly createdAccounts = new Set<Account>();
  readonly updatedAccounts = new Set<Account>();
  readonly redirectedAccounts = new Set<Account>();
  readonly delegates = new Set<Delegate>();
  readonly locks = new Map<string, Lock | null>();
  readonly claimDrifts: ClaimDrift[] = [];
  readonly rounds: NumberedRound[] = [];
  readonly roundRevisions: RoundRevision[] = [];
  readonly misplacedBlocks: MisplacedBlock[] = [];
  roundCandidates: RoundCandidate[] = [];
  rankings: Ranking[] = [];
  readonly roundDigests: RoundDigest[] = [];
  readonly days = new Set<DayStatistics>();
  undo: BlockUndo[] = [];
  sums: SumsAtBlock[] = [];
}

/** Records what the ledger changes, each row once per block, for the tables and for undoing blocks. */
export class Journal {
  private blockHeight = 0;
  /** The first height whose changes have not been taken. A row last touched below it is not in `changes`. */
  private changesFrom = 1;
  private undo: BlockUndo | null = null;
  /** Null if the ledger keeps none. */
  private history: HistoryJournal | null = null;
  private changes = new ChangesSoFar();
  /** The height of the newest sums that were recorded or loaded. */
  private sumsAt = 0;

  /** The height of the current block. */
  get height(): number {
    return this.blockHeight;
  }

  /** The number of account rows in the next changes. */
  get changedAccounts(): number {
    return this.changes.createdAccounts.size + this.changes.updatedAccounts.size;
  }

  begin(height: number, keepsUndo: boolean, keepsHistory: boolean): void {
    this.blockHeight = height;
    if (keepsHistory) this.history ??= new HistoryJournal();
    this.undo = keepsUndo ? { height, accounts: [], delegates: [], locks: [], days: [] } : null;
    if (this.undo) this.changes.undo.push(this.undo);
  }

  /** Call this when the block has changed all that it changes. `all`: the registered delegates. */
  end(all: Iterable<Delegate>): void {
    this.history?.endBlock(this.blockHeight, all);
  }

  /** Call this once per block, before the account changes. */
  touchAccount(account: TrackedAccount): void {
    const { exists, touchedAt } = account;
    account.touchedAt = this.blockHeight;
    this.history?.touchAccount(account, exists);
    this.undo?.accounts.push({
      height: this.blockHeight,
      address: account.address,
      number: account.number,
      publicKey: account.publicKey,
      balance: account.balance,
      locked: account.locked,
      vote: account.vote,
      nonce: account.nonce,
      secondPublicKey: account.secondPublicKey,
      multiSignature: account.multiSignature,
      attributes: account.attributes,
      existed: exists,
    });
    if (touchedAt < this.changesFrom)
      (exists ? this.changes.updatedAccounts : this.changes.createdAccounts).add(account);
    account.exists = true;
  }

  /** Records that the account's vote or keys have changed. */
  redirectAccount(account: TrackedAccount): void {
    this.changes.redirectedAccounts.add(account);
  }

  /** Call this once per block, before the delegate changes. */
  touchDelegate(delegate: TrackedDelegate): void {
    const { touchedAt: lastTouchedAt } = delegate;
    delegate.touchedAt = this.blockHeight;
    this.history?.touchDelegate(delegate, delegate.exists);
    if (this.undo) {
      const { exists, touchedAt: _touchedAt, factors: _factors, ...image } = delegate;
      this.undo.delegates.push({ ...image, height: this.blockHeight, existed: exists });
    }
    delegate.exists = true;
    if (lastTouchedAt < this.changesFrom) this.changes.delegates.add(delegate);
  }

  openLock(lock: Lock): void {
    this.undo?.locks.push({ ...lock, height: this.blockHeight, existed: false });
    this.changes.locks.set(lock.transactionId, lock);
  }

  closeLock(lock: Lock): void {
    this.undo?.locks.push({ ...lock, height: this.blockHeight, existed: true });
    this.changes.locks.set(lock.transactionId, null);
  }

  miscountClaim(drift: ClaimDrift): void {
    this.changes.claimDrifts.push(drift);
  }

  /** `delegates`: their numbers by rank. */
  startRound(
    round: NumberedRound,
    candidates: readonly RoundCandidate[],
    delegates: readonly number[],
  ): void {
    const ranking = { height: this.blockHeight, delegates };
    const { changes } = this;
    changes.rounds.push(round);
    // No block below can become the head again.
    if (this.undo === null) {
      changes.rankings = [];
      changes.roundCandidates = [];
    }
    changes.rankings.push(ranking);
    changes.roundCandidates.push(...candidates);
    this.history?.addRanking(ranking);
  }

  reviseRound(revision: RoundRevision): void {
    this.changes.roundRevisions.push(revision);
  }

  misplaceBlock(block: MisplacedBlock): void {
    this.changes.misplacedBlocks.push(block);
  }

  digestRound(digest: RoundDigest): void {
    this.changes.roundDigests.push(digest);
  }

  /** Call this once per block, before its day changes. */
  touchDay(day: DayStatistics): void {
    this.undo?.days.push({ ...day, height: this.blockHeight, existed: day.blocks > 0 });
    this.changes.days.add(day);
  }

  /** Records the sums at the head, unless they are recorded already. */
  recordSums({ height, id }: LedgerHead, sums: () => StateSums): void {
    if (height === this.sumsAt) return;
    this.changes.sums.push({ height, id, ...sums() });
    this.sumsAt = height;
  }

  /** Tells the journal that the tables hold the sums at this height. */
  knowSumsAt(height: number): void {
    this.sumsAt = height;
  }

  /** Returns the records that neither this nor `takeChanges` has returned yet. The next `takeChanges` leaves them out. */
  takeRecords(): BlockRecords {
    const { undo, sums } = this.changes;
    this.changes.undo = [];
    this.changes.sums = [];
    return { undo, sums, history: this.history?.takeRecords() ?? null };
  }

  /** Returns the changes since the last call. */
  takeChanges(): Omit<LedgerChanges, 'knowsClaims' | 'keepsDetails'> {
    const { changes, history } = this;
    this.changes = new ChangesSoFar();
    this.changesFrom = this.blockHeight + 1;
    return {
      ...changes,
      history: history?.takeRecords() ?? null,
      votes: history?.takeVotes() ?? null,
      keepsHistory: history !== null,
    };
  }
}
