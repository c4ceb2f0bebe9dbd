import { assetOf } from './asset.js';
import type { Effect } from './effect.js';

/** The recipient of the lock gets the amount, no matter who sends the claim. */
export const applyHtlcClaim: Effect = (transaction, { ledger, sender, height }) => {
  const lock = ledger.closeLock(assetOf(transaction, 'lockTransactionId', height));
  const recipient = ledger.account(lock.recipientAddress);
  ledger.move(ledger.account(lock.senderAddress), 0n, -lock.amount);
  ledger.move(recipient, lock.amount);
  ledger.countClaim(lock.amount, recipient.vote, sender.vote);
};
