import type { Transaction } from '../../transactions/transaction.js';
import type { Ledger } from '../ledger.js';
import type { TrackedAccount } from '../tracked.js';

/** Where a transaction stands, and who sent it; the fee is paid already. */
export interface EffectContext {
  readonly ledger: Ledger;
  readonly sender: TrackedAccount;
  readonly height: number;
  /** The place within the block, from 0. */
  readonly sequence: number;
}

/** What one type of transaction does to accounts besides the fee (protocol.md, "Transactions"). */
export type Effect = (transaction: Transaction, context: EffectContext) => void;
