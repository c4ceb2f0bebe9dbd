import type { BlockRef } from '@roundhouse/chain';
import { asUnavailable } from './database-unavailable.error.js';
import { HeadPassedError } from './head-passed.error.js';
import type { NamedQuery } from './queries/named-query.js';
import type { ReaderPool } from './reader-pool.js';

/**
 * Runs a query whose first two parameters are a head and gives its rows. Each such query selects from `head`
 * with everything else outer-joined, in one statement and so in one snapshot: no row at all means that the head
 * is another one by now (`HeadPassedError`), and one row of nulls that there is nothing to find. Also throws
 * `DatabaseUnavailableError`.
 */
export const rowsAtHead = async <Row extends object>(
  pool: ReaderPool,
  at: BlockRef,
  query: NamedQuery,
  values: readonly unknown[] = [],
): Promise<Row[]> => {
  const statement = { ...query, values: [at.height, at.id, ...values] };
  const { rows } = await pool.query(statement).catch((error: unknown) => {
    throw asUnavailable(error);
  });
  if (rows.length === 0) throw new HeadPassedError(at);
  return rows as Row[];
};

/** As `rowsAtHead`, without the row of nulls; `key` is a column that is never null in a row that was found. */
export const foundAtHead = async <Row extends object>(
  pool: ReaderPool,
  at: BlockRef,
  query: NamedQuery,
  values: readonly unknown[],
  key: keyof Row,
): Promise<Row[]> => {
  const rows = await rowsAtHead<Row>(pool, at, query, values);
  return rows[0]![key] === null ? [] : rows;
};
