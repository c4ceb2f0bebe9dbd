import type { Account, BlockUndo, Delegate, ForgingRound, Lock } from './state.js';

/** What the blocks applied since the last commit have changed. */
export interface LedgerChanges {
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
  readonly undo: readonly BlockUndo[];
}
