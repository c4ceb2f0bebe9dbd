import type { BlockRef } from '../blocks/block.js';
import type { RoundDigest } from '../digest/round-digest.js';
import type { StateSums } from '../digest/running-sums.js';
import type { Account, BlockUndo, Delegate, ForgingRound, Lock } from './state.js';

/** What the state came to after a block. */
export interface SumsAtBlock extends BlockRef, StateSums {}

/** What undoing blocks takes. */
export interface UndoRecords {
  readonly undo: readonly BlockUndo[];
  /** At the newest block, and at each that undoing one of `undo` goes back to; empty where the ledger keeps no sums. */
  readonly sums: readonly SumsAtBlock[];
}

/** What the blocks applied since the last commit have changed, but for the undo records that were taken before. */
export interface LedgerChanges extends UndoRecords {
  /** Accounts that the blocks made. */
  readonly createdAccounts: ReadonlySet<Account>;
  /** Accounts that were there before. */
  readonly updatedAccounts: ReadonlySet<Account>;
  /** Accounts whose vote or public key was set; the others have only moved amounts. */
  readonly redirectedAccounts: ReadonlySet<Account>;
  readonly delegates: ReadonlySet<Delegate>;
  /** Lock's transaction id → the lock as it stands now, null once it is closed. */
  readonly locks: ReadonlyMap<string, Lock | null>;
  readonly rounds: readonly ForgingRound[];
  readonly roundDigests: readonly RoundDigest[];
}

/** A list of changes that still grows. */
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
