import { InvalidBlockError } from '../../errors/chain-error.js';
import type { Transaction, TransactionAsset } from '../../transactions/transaction.js';

/** The part of the asset that the transaction's type lives by. Throws `InvalidBlockError` where the block at `height` lacks it. */
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
