import type { Effect } from './effect.js';

export const applyTransfer: Effect = ({ amount, recipientId }, { ledger, sender }) => {
  ledger.move(sender, -amount);
  if (recipientId !== null) ledger.move(ledger.account(recipientId), amount);
};
