import type { BlockRef } from '../blocks/block.js';
import type { RoundDigest } from '../digest/round-digest.js';
import type { StateSums } from '../digest/value-sums.js';
import type { DayStatistics } from './day-counter.js';
import type { HistoryRecords, VoteRecords } from './history.js';
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

/** The running sums over the state after a block. */
export interface SumsAtBlock extends BlockRef, StateSums {}

/** What each block adds: what is needed to undo it, and history. */
export interface BlockRecords {
  readonly undo: readonly BlockUndo[];
  /** The sums at the newest block, and at the block below each block of `undo`. */
  readonly sums: readonly SumsAtBlock[];
  /** Null if the ledger keeps none. */
  readonly history: HistoryRecords | null;
}

/** The changes since the last commit, without the records that were taken earlier. */
export interface LedgerChanges extends BlockRecords {
  /** Whether the ledger keeps history. */
  readonly keepsHistory: boolean;
  /** Whether the ledger counts the claims that running nodes miscount, so that the tables hold all up to the head. */
  readonly knowsClaims: boolean;
  /** Whether the ledger keeps attributes and the weights of forgers, and the tables the fees of each day. */
  readonly keepsDetails: boolean;
  /** Accounts that the blocks created. */
  readonly createdAccounts: ReadonlySet<Account>;
  /** Accounts that existed before. */
  readonly updatedAccounts: ReadonlySet<Account>;
  /** Accounts whose vote or keys were set. In the others only numbers changed. */
  readonly redirectedAccounts: ReadonlySet<Account>;
  readonly delegates: ReadonlySet<Delegate>;
  /** Transaction id of a lock → the lock, or null if it was closed. */
  readonly locks: ReadonlyMap<string, Lock | null>;
  readonly claimDrifts: readonly ClaimDrift[];
  readonly rounds: readonly NumberedRound[];
  readonly roundRevisions: readonly RoundRevision[];
  readonly misplacedBlocks: readonly MisplacedBlock[];
  /** Of the newest round, and of those that undoing can reach. */
  readonly roundCandidates: readonly RoundCandidate[];
  /** The newest, and those of the blocks that can be undone. */
  readonly rankings: readonly Ranking[];
  readonly roundDigests: readonly RoundDigest[];
  /** The days of the blocks. Empty if the ledger keeps no statistics. */
  readonly days: ReadonlySet<DayStatistics>;
  /** For history; null if the ledger keeps none. Many votes that begin in a batch also end in it, so they wait for its end. */
  readonly votes: VoteRecords | null;
}
