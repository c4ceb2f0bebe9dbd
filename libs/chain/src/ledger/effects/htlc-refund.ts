import { assetOf } from './asset.js';
import type { Effect } from './effect.js';

/** The lock's sender gets the amount back, whoever sends the refund. */
export const applyHtlcRefund: Effect = (transaction, { ledger, height }) => {
  const lock = ledger.closeLock(assetOf(transaction, 'lockTransactionId', height));
  ledger.move(ledger.account(lock.senderAddress), lock.amount, -lock.amount);
};
