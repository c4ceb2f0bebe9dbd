import { assetOf } from './asset.js';
import type { Effect } from './effect.js';

/** The lock's recipient gets the amount, whoever sends the claim. */
export const applyHtlcClaim: Effect = (transaction, { ledger, height }) => {
  const lock = ledger.closeLock(assetOf(transaction, 'lockTransactionId', height));
  ledger.move(ledger.account(lock.senderAddress), 0n, -lock.amount);
  ledger.move(ledger.account(lock.recipientAddress), lock.amount);
};
