import { isKnownType } from '../../transactions/transaction.js';
import type { Effect } from './effect.js';
import { applyTransfer } from './transfer.js';

/**
 * Unknown type groups and types never stop the indexer. If they have an amount and a recipient, they move it like a
 * transfer.
 */
export const applyUnknown: Effect = (transaction, context) => {
  const { typeGroup, type, amount, recipientId } = transaction;
  // Businesses, bridgechains and entities only cost a fee.
  if (!isKnownType(typeGroup, type)) context.ledger.countUnknownType(typeGroup, type);
  if (amount > 0n && recipientId !== null) applyTransfer(transaction, context);
};
