import type { StatusDelegate } from '@roundhouse/client';
import type { Column, DelegateList, Order } from '../page/location.js';

/** The number of delegates that a page lists until all are requested. */
const SHORT_LIST = 100;

const compareNumbers = <T extends number | bigint | string>(a: T, b: T): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** The number of due blocks; 1 if none was ever due, so that productivity counts as 0. */
const turns = ({ producedblocks, missedblocks }: StatusDelegate): number =>
  producedblocks + missedblocks || 1;

const comparisons: Readonly<Record<Column, (a: StatusDelegate, b: StatusDelegate) => number>> = {
  rank: (a, b) => a.rank - b.rank,
  username: (a, b) => compareNumbers(a.username, b.username),
  vote: (a, b) => compareNumbers(a.weight, b.weight),
  producedblocks: (a, b) => a.producedblocks - b.producedblocks,
  missedblocks: (a, b) => a.missedblocks - b.missedblocks,
  productivity: (a, b) => a.producedblocks * turns(b) - b.producedblocks * turns(a),
  forged: (a, b) => compareNumbers(a.forged, b.forged),
};

/** Sorts like the API for the same `orderBy`: ties by public key, ascending. */
export const sortDelegates = (
  delegates: readonly StatusDelegate[],
  { column, direction }: Order,
): StatusDelegate[] => {
  const compare = comparisons[column];
  const sign = direction === 'desc' ? -1 : 1;
  return [...delegates].sort((a, b) => sign * compare(a, b) || compareNumbers(a.publicKey, b.publicKey));
};

/** Folds ASCII only, like the API's search. */
const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export interface ListedDelegates {
  readonly shown: readonly StatusDelegate[];
  readonly found: number;
}

export const listDelegates = (
  delegates: readonly StatusDelegate[],
  { search, order, isWhole }: DelegateList,
): ListedDelegates => {
  const text = fold(search);
  const found = sortDelegates(
    delegates.filter(({ username }) => fold(username).includes(text)),
    order,
  );
  return { shown: isWhole ? found : found.slice(0, SHORT_LIST), found: found.length };
};

/** Readers look for names from A on, and for figures from the largest. */
const FIRST_ASCENDING: readonly Column[] = ['rank', 'username'];

/** The order after a press on a column's header. */
export const nextOrder = (order: Order, column: Column): Order => {
  const isAscending = order.column === column ? order.direction === 'desc' : FIRST_ASCENDING.includes(column);
  return { column, direction: isAscending ? 'asc' : 'desc' };
};
