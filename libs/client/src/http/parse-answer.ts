import { isLosslessNumber, parse } from 'lossless-json';
import { AMOUNTS } from '../generated/api.js';

/** Its fields are those of the transaction's type. In known types, amounts in it are text. */
const FREE_FORM = 'asset';

const revived = (value: unknown, isAmount: (key: string) => boolean, key = ''): unknown => {
  if (isLosslessNumber(value)) return isAmount(key) ? BigInt(value.value) : Number(value.value);
  if (Array.isArray(value)) return value.map((item) => revived(item, isAmount));
  if (typeof value !== 'object' || value === null) return value;
  const within = key === FREE_FORM ? () => false : isAmount;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, revived(field, within, name)]),
  );
};

const NONE: ReadonlySet<string> = new Set();

/**
 * Parses JSON of the API: amounts become `bigint` with every digit, all other numbers, and those in the asset of a
 * transaction, `number`. In answers of Core's version 2 amounts are text. Throws `SyntaxError`.
 */
export const parseAnswer = (text: string, isOfCore = false): unknown => {
  const amounts = isOfCore ? NONE : AMOUNTS;
  return revived(parse(text), (key) => amounts.has(key));
};
