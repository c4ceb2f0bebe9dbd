import type { Effect } from './effect.js';
import { applyTransfer } from './transfer.js';

/** Type group 2 of Core 3: businesses, bridgechains, entities. They are known and only cost a fee. */
const MAGISTRATE_TYPE_GROUP = 2;

/**
 * Unknown type groups and types never stop the indexer. If they have an amount and a recipient, they move it like a
 * transfer.
 */
export const applyUnknown: Effect = (transaction, context) => {
  const { typeGroup, type, amount, recipientId } = transaction;
  if (typeGroup !== MAGISTRATE_TYPE_GROUP) context.ledger.countUnknownType(typeGroup, type);
  if (amount > 0n && recipientId !== null) applyTransfer(transaction, context);
};
