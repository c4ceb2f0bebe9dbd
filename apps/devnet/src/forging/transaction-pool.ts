import type { Transaction } from '@roundhouse/chain';
import { Draft, type ChainState } from '@roundhouse/forging';
import { assertAcceptable } from './accept-transaction.js';
import { RejectedTransactionError } from './rejected-transaction.error.js';

/** The clients' transactions that are not in a block yet, in order of arrival. */
export class TransactionPool {
  private readonly waiting = new Map<string, Transaction>();

  list(): readonly Transaction[] {
    return [...this.waiting.values()];
  }

  /** Accepts the transaction if it could go into the next block. Throws `RejectedTransactionError`. */
  submit(transaction: Transaction, state: ChainState): void {
    const draft = new Draft(state);
    this.fill(draft);
    assertAcceptable(transaction, draft);
    this.waiting.set(transaction.id, transaction);
  }

  /** Moves what is still acceptable into the draft, as far as it has room, and drops the rest. */
  admit(draft: Draft): void {
    this.fill(draft);
    for (const id of this.waiting.keys()) if (draft.has(id) || !draft.isFull) this.waiting.delete(id);
  }

  private fill(draft: Draft): void {
    for (const transaction of this.waiting.values()) {
      if (draft.isFull) return;
      try {
        assertAcceptable(transaction, draft);
        draft.add(transaction);
      } catch (error) {
        if (!(error instanceof RejectedTransactionError)) throw error;
      }
    }
  }
}
