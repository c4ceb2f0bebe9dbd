import type { Effect } from './effect.js';
import { applyTransfer } from './transfer.js';

/** Type group 2 of Core 3: businesses, bridgechains, entities. Known, and fee only. */
const MAGISTRATE_TYPE_GROUP = 2;

/** Other type groups, and types to come: an amount with a recipient moves as in a transfer; never a reason to stop. */
export const applyUnknown: Effect = (transaction, context) => {
  const { typeGroup, type, amount, recipientId } = transaction;
  if (typeGroup !== MAGISTRATE_TYPE_GROUP) context.ledger.countUnknownType(typeGroup, type);
  if (amount > 0n && recipientId !== null) applyTransfer(transaction, context);
};
