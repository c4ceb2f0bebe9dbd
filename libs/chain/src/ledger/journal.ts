import type { RoundDigest } from '../digest/round-digest.js';
import type { BlockRecords, LedgerChanges, SumsAtBlock } from './changes.js';
import type { DayStatistics } from './day-counter.js';
import { HistoryJournal } from './history-journal.js';
import type {
  Account,
  BlockUndo,
  ClaimDrift,
  Delegate,
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
  /** The height of the current block. */
  height = 0;
  /** What the ledger adds to directly if few blocks change it. */
  changes = new ChangesSoFar();
  /** Before-images of the current block; null if it keeps none. */
  undo: BlockUndo | null = null;
  /** Null if the ledger keeps none. */
  history: HistoryJournal | null = null;
  /** The height of the newest sums that were recorded or loaded. */
  sumsAt = 0;
  /** The first height whose changes have not been taken. A row last touched below it is not in `changes`. */
  private changesFrom = 1;

  begin(height: number, keepsUndo: boolean, keepsHistory: boolean): void {
    this.height = height;
    if (keepsHistory) this.history ??= new HistoryJournal();
    this.undo = keepsUndo ? { height, accounts: [], delegates: [], locks: [], days: [] } : null;
    if (this.undo) this.changes.undo.push(this.undo);
  }

  /** Call this once per block, before the account changes. */
  touchAccount(account: TrackedAccount): void {
    const { exists, touchedAt } = account;
    account.touchedAt = this.height;
    this.history?.touchAccount(account, exists);
    this.undo?.accounts.push({
      height: this.height,
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

  /** Call this once per block, before the delegate changes. */
  touchDelegate(delegate: TrackedDelegate): void {
    const { touchedAt: lastTouchedAt } = delegate;
    delegate.touchedAt = this.height;
    this.history?.touchDelegate(delegate, delegate.exists);
    if (this.undo) {
      const { exists, touchedAt: _touchedAt, factors: _factors, ...image } = delegate;
      this.undo.delegates.push({ ...image, height: this.height, existed: exists });
    }
    delegate.exists = true;
    if (lastTouchedAt < this.changesFrom) this.changes.delegates.add(delegate);
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
    this.changesFrom = this.height + 1;
    return {
      ...changes,
      history: history?.takeRecords() ?? null,
      votes: history?.takeVotes() ?? null,
      keepsHistory: history !== null,
    };
  }
}
