import type { Network } from '../network/network.js';
import type { Transaction } from '../transactions/transaction.js';
import type { Effect } from './definition.js';
import { moveAmount } from './transfer.js';

/** An amount with a recipient is moved like a transfer's. */
export const moveIfAny: Effect = (transaction, context) => {
  if (transaction.amount > 0n && transaction.recipientId !== null) moveAmount(transaction, context);
};

/** Whether the network's configuration says that the amounts of this unknown type move. */
export const movesUnknown = (
  { typeGroup, type }: Pick<Transaction, 'typeGroup' | 'type'>,
  { customTypes }: Network,
): boolean =>
  customTypes?.some(
    (custom) => custom.typeGroup === typeGroup && custom.type === type && custom.moves === 'transfer',
  ) === true;

/**
 * Unknown type groups and types never stop the indexer. Nothing proves their fields, so their amounts do not move,
 * unless the configuration knows the type.
 */
export const applyUnknown: Effect = (transaction, context) => {
  const { ledger } = context;
  ledger.countUnknownType(transaction.typeGroup, transaction.type);
  if (movesUnknown(transaction, ledger.network)) moveIfAny(transaction, context);
};
