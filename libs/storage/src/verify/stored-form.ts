import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '@roundhouse/chain';
import { assetColumn } from '../writer/asset-column.js';
import type { StoredTransaction } from './stored-blocks.js';

type Columns = Omit<StoredTransaction, 'blockHeight' | 'sequence' | 'sender' | 'recipient'>;

/** What the writer stores for a transaction, apart from its place and its numbers. */
const columnsOf = ({ expiration, asset, ...fields }: Transaction): Columns => ({
  ...fields,
  expiration: expiration === 0 ? null : BigInt(expiration),
  asset: asset && assetColumn(asset),
});

const shown = (value: unknown): string =>
  typeof value === 'bigint' ? value.toString() : JSON.stringify(value);

const rowProblem = (row: StoredTransaction, transaction: Transaction, place: number): string | null => {
  if (row.sequence !== place) return `has sequence ${row.sequence}, but ${place} is right`;
  if (row.recipient !== null && row.recipientId === null)
    return `has recipient ${row.recipient}, a number that no address has`;
  const expected = columnsOf(transaction);
  for (const name of Object.keys(expected) as (keyof Columns)[]) {
    const [found, right] = [row[name], expected[name]];
    if (found !== right && !isDeepStrictEqual(found, right))
      return `is stored with ${name} ${shown(found)}, but ${shown(right)} is right`;
  }
  return null;
};

/**
 * What is wrong with the rows of a block whose hashes are right. Null if they are what the writer stores for these
 * transactions, which the checks of a source have passed: no hash covers a column that a transaction of its form does not
 * sign.
 */
export const formProblem = (
  rows: readonly StoredTransaction[],
  checked: readonly Transaction[],
): string | null => {
  for (const [place, row] of rows.entries()) {
    const problem = rowProblem(row, checked[place]!, place);
    if (problem !== null) return `transaction ${row.id} ${problem}`;
  }
  return null;
};
