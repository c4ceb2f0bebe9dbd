import { LedgerInvariantError } from '../../errors/chain-error.js';
import type { Transaction, TransactionAsset } from '../../transactions/transaction.js';

/** The part of the asset that the transaction's type lives by; sources refuse a transaction without it. */
export const assetOf = <K extends keyof TransactionAsset>(
  { id, type, asset }: Transaction,
  key: K,
): NonNullable<TransactionAsset[K]> => {
  const part = asset?.[key];
  if (part === undefined)
    throw new LedgerInvariantError(`Transaction ${id} of type ${type} has no "${key}" in its asset.`);
  return part;
};
