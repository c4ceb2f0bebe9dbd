import type { Effect } from './definition.js';
import { moveAmount } from './transfer.js';

/** An amount with a recipient is moved like a transfer's. */
export const moveIfAny: Effect = (transaction, context) => {
  if (transaction.amount > 0n && transaction.recipientId !== null) moveAmount(transaction, context);
};

/** Unknown type groups and types never stop the indexer. */
export const applyUnknown: Effect = (transaction, context) => {
  context.ledger.countUnknownType(transaction.typeGroup, transaction.type);
  moveIfAny(transaction, context);
};
