import type { Transaction } from '../../transactions/transaction.js';
import type { Ledger } from '../ledger.js';
import type { TrackedAccount } from '../tracked.js';

/** The sender and the place of a transaction. Its fee is already paid. */
export interface EffectContext {
  readonly ledger: Ledger;
  readonly sender: TrackedAccount;
  readonly height: number;
  /** The position in the block, from 0. */
  readonly sequence: number;
}

/** Applies the effects of one transaction type, except the fee (protocol.md, "Transactions"). */
export type Effect = (transaction: Transaction, context: EffectContext) => void;
