import { assetOf } from './asset.js';
import type { Effect } from './effect.js';

/** Recipients may repeat and may be the sender itself, so each payment is applied separately. */
export const applyMultiPayment: Effect = (transaction, { ledger, sender, height }) => {
  for (const { recipientId, amount } of assetOf(transaction, 'payments', height)) {
    ledger.move(sender, -amount);
    ledger.move(ledger.account(recipientId), amount);
  }
};
