import type { BlockRef } from '@roundhouse/chain';
import { atHead, rowsAtHead } from '../at-head.js';
import { asUnavailable } from '../database-unavailable.error.js';
import type { ReaderPool } from '../reader-pool.js';
import { isFoundByIndex, lookUpsOf, wheresOf, withFound, type Comparison } from './list-filters.js';

/** How a table is listed by filters. */
export interface FilteredTable {
  /** The table and its alias. */
  readonly from: string;
  /** The columns that identify a row. */
  readonly key: string;
  /** Whether a row must meet all comparisons, or one of them. */
  readonly operator: 'AND' | 'OR';
}

/** Up to so many rows are counted one by one. */
const MOST_COUNTED = 10_000;

interface PlanRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

/** Reads statistics only, at no particular head. */
const estimate = async (
  pool: ReaderPool,
  { from, operator }: FilteredTable,
  comparisons: readonly Comparison[],
): Promise<number> => {
  const where = comparisons.length === 0 ? '' : ` WHERE ${wheresOf(comparisons, 1).join(` ${operator} `)}`;
  const values = comparisons.map(({ value }) => value);
  const text = `EXPLAIN (FORMAT JSON) SELECT FROM ${from}${where}`;
  const { rows } = await pool.query({ text, values }).catch((error: unknown) => {
    throw asUnavailable(error);
  });
  return (rows as PlanRow[])[0]!['QUERY PLAN'][0].Plan['Plan Rows'];
};

/**
 * How many rows a list has: exactly if indexes find no more than 10,000 of them, otherwise as PostgreSQL's planner
 * estimates, which is how nodes of 2.x counted. Throws `HeadPassedError` and `DatabaseUnavailableError`.
 */
export const countFound = async (
  pool: ReaderPool,
  at: BlockRef,
  table: FilteredTable,
  comparisons: readonly Comparison[],
): Promise<number> => {
  const isCheap = comparisons.length > 0 && comparisons.every(isFoundByIndex);
  if (!isCheap || (table.operator === 'AND' && comparisons.length > 1))
    return estimate(pool, table, comparisons);
  // UNION needs the keys, to drop what two of them find. Without keys the index alone is read.
  const key = comparisons.length > 1 ? table.key : '';
  const branches = wheresOf(comparisons, 3).map(
    (where) => `(SELECT ${key} FROM ${table.from} WHERE ${where} LIMIT ${MOST_COUNTED + 1})`,
  );
  const count = `(SELECT count(*)::integer FROM (${branches.join(' UNION ')}) found) AS count`;
  const text = atHead(`${count}, ${lookUpsOf(comparisons, 3)} AS found`, '');
  const values = comparisons.map(({ value }) => value);
  type Counted = { readonly count: number; readonly found: readonly (number | null)[] };
  const [row] = await rowsAtHead<Counted>(pool, at, { text }, values);
  if (row!.count <= MOST_COUNTED) return row!.count;
  // The planner knows how often the values occur that were looked up.
  return Math.max(row!.count, await estimate(pool, table, withFound(comparisons, row!.found)));
};
