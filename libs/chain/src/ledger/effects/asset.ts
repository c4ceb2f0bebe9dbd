import { InvalidBlockError } from '../../errors/chain-error.js';
import type { Transaction, TransactionAsset } from '../../transactions/transaction.js';

/**
 * The part of the asset that the transaction's type requires. Throws `InvalidBlockError` for the block at `height` if
 * it is missing.
 */
export const assetOf = <K extends keyof TransactionAsset>(
  { id, type, asset }: Transaction,
  key: K,
  height: number,
): NonNullable<TransactionAsset[K]> => {
  const part = asset?.[key];
  if (part === undefined)
    throw new InvalidBlockError(height, `transaction ${id} of type ${type} has no "${key}" in its asset`);
  return part;
};
