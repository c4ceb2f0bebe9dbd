import type { BlockRef } from '../blocks/block.js';
import type { RoundDigest } from '../digest/round-digest.js';
import type { StateSums } from '../digest/running-sums.js';
import type { Account, BlockUndo, Delegate, ForgingRound, Lock } from './state.js';

/** The running sums over the state after a block. */
export interface SumsAtBlock extends BlockRef, StateSums {}

/** What is needed to undo blocks. */
export interface UndoRecords {
  readonly undo: readonly BlockUndo[];
  /**
   * The sums at the newest block, and at each block that becomes the head when a block of `undo` is undone. Empty if
   * the ledger keeps no sums.
   */
  readonly sums: readonly SumsAtBlock[];
}

/** The changes since the last commit, without the undo records that were taken earlier. */
export interface LedgerChanges extends UndoRecords {
  /** Accounts that the blocks created. */
  readonly createdAccounts: ReadonlySet<Account>;
  /** Accounts that existed before. */
  readonly updatedAccounts: ReadonlySet<Account>;
  /** Accounts whose vote or public key was set. In the others only amounts changed. */
  readonly redirectedAccounts: ReadonlySet<Account>;
  readonly delegates: ReadonlySet<Delegate>;
  /** Transaction id of a lock → the lock, or null if it was closed. */
  readonly locks: ReadonlyMap<string, Lock | null>;
  readonly rounds: readonly ForgingRound[];
  readonly roundDigests: readonly RoundDigest[];
}

/** Changes that are still being collected. */
export class ChangesSoFar implements LedgerChanges {
  readonly createdAccounts = new Set<Account>();
  readonly updatedAccounts = new Set<Account>();
  readonly redirectedAccounts = new Set<Account>();
  readonly delegates = new Set<Delegate>();
  readonly locks = new Map<string, Lock | null>();
  readonly rounds: ForgingRound[] = [];
  readonly roundDigests: RoundDigest[] = [];
  undo: BlockUndo[] = [];
  sums: SumsAtBlock[] = [];

  takeUndo(): UndoRecords {
    const { undo, sums } = this;
    this.undo = [];
    this.sums = [];
    return { undo, sums };
  }
}
