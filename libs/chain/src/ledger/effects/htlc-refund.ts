import { assetOf } from './asset.js';
import type { Effect } from './effect.js';

/** The sender of the lock gets the amount back, no matter who sends the refund. */
export const applyHtlcRefund: Effect = (transaction, { ledger, height }) => {
  const lock = ledger.closeLock(assetOf(transaction, 'lockTransactionId', height));
  ledger.move(ledger.account(lock.senderAddress), lock.amount, -lock.amount);
};
