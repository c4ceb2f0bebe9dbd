import { InvalidBlockError } from '../../errors/chain-error.js';
import type { Effect } from './effect.js';

/** The amount stays with the sender, locked, until a claim or a refund. */
export const applyHtlcLock: Effect = ({ id, amount, recipientId }, { ledger, sender, height }) => {
  if (recipientId === null) throw new InvalidBlockError(height, `lock ${id} has no recipient`);
  ledger.move(sender, -amount, amount);
  ledger.openLock({
    transactionId: id,
    senderAddress: sender.address,
    recipientAddress: recipientId,
    amount,
  });
};
