import type { Account, BlockUndo, Delegate, ForgingRound, Lock } from './state.js';

/** What the blocks applied since the last commit have changed. */
export interface LedgerChanges {
  readonly accounts: ReadonlySet<Account>;
  readonly delegates: ReadonlySet<Delegate>;
  /** Lock's transaction id → the lock as it stands now, null once it is closed. */
  readonly locks: ReadonlyMap<string, Lock | null>;
  readonly rounds: readonly ForgingRound[];
  readonly undo: readonly BlockUndo[];
}
