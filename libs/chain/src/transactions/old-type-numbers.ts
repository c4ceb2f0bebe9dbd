import { TransactionType } from './transaction.js';

/** The type group of a type that only Core 2.4 and 2.5 had. No node knows the group, so the type counts as unknown. */
export const OLD_TYPE_GROUP = 0;

const TIMELOCK_TRANSFER = 6;

const NUMBERS: readonly (readonly [old: number, type: TransactionType])[] = [
  [7, TransactionType.MultiPayment],
  [8, TransactionType.DelegateResignation],
];

/**
 * The type that Core 2.4 and 2.5 gave this number. They have no type groups. From 6 on, their numbers differ from those
 * of 2.6 and later. Timelock transfers, which no node accepted, have no number in 2.6 and later.
 */
export const typeOfOldNumber = (old: number): { readonly typeGroup: number; readonly type: number } => {
  if (old === TIMELOCK_TRANSFER) return { typeGroup: OLD_TYPE_GROUP, type: old };
  return { typeGroup: 1, type: NUMBERS.find(([number]) => number === old)?.[1] ?? old };
};

/** The number that Core 2.4 and 2.5 gave this type. */
export const oldNumberOf = (type: number): number => NUMBERS.find((entry) => entry[1] === type)?.[0] ?? type;

/** The least type number that changed. */
export const FIRST_CHANGED_NUMBER = TIMELOCK_TRANSFER;
