import { assetOf } from './asset.js';
import type { Effect } from './effect.js';

/** The sender itself and repeated recipients occur, so each payment moves on its own. */
export const applyMultiPayment: Effect = (transaction, { ledger, sender, height }) => {
  for (const { recipientId, amount } of assetOf(transaction, 'payments', height)) {
    ledger.move(sender, -amount);
    ledger.move(ledger.account(recipientId), amount);
  }
};
