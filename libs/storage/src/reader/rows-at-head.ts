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

export interface JsonRow {
  readonly json: string | null;
  readonly lost: string;
}

/** The objects of a row of `jsonRows`. */
export const jsonOf = ({ name }: NamedQuery, { json, lost }: JsonRow): string => {
  // A list that silently leaves something out would be worse than none.
  if (lost !== '0') throw new Error(`The query "${name}" met ${lost} rows with a null where none may be.`);
  return json ?? '';
};

/** As `rowsAtHead`, for a query of `jsonRows`: the objects, separated by commas; empty where there is none. */
export const jsonAtHead = async (
  pool: ReaderPool,
  at: BlockRef,
  query: NamedQuery,
  values: readonly unknown[] = [],
): Promise<string> => {
  const [row] = await rowsAtHead<JsonRow>(pool, at, query, values);
  return jsonOf(query, row!);
};
