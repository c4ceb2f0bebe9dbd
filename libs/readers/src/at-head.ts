import type { BlockRef } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import { EXACT_TYPES } from '@roundhouse/entities/sql';
import { asUnavailable } from './database-unavailable.error.js';
import { HeadPassedError } from './head-passed.error.js';
import { jsonRows } from './json-object.js';
import type { NamedQuery, Query, ReaderPool } from './reader-pool.js';

/**
 * SQL about one head, `h`: $1 is its height, $2 its id. Everything else is outer-joined to it. One statement reads one
 * snapshot. No row means that the head has moved; a row of nulls means that nothing was found.
 */
export const atHead = (columns: string, joins: string): string => `
SELECT ${columns}
FROM head h
${joins}
WHERE h.height = $1 AND h.block_id = $2`;

/** A join for `atHead`: the columns `list.json` and `list.lost` of `jsonRows`. */
export const joinList = (object: string, rows: string): string =>
  `CROSS JOIN LATERAL (${jsonRows(object, rows)}) list`;

/** SQL of a list at one head, for `jsonAtHead`. */
export const listAtHead = (object: string, rows: string): string =>
  atHead('list.json, list.lost', joinList(object, rows));

/** The rows of an `atHead` query, with amounts as bigint. Throws `HeadPassedError` and `DatabaseUnavailableError`. */
export const rowsAtHead = async <Row extends object>(
  pool: ReaderPool,
  at: BlockRef,
  query: Query,
  values: readonly unknown[] = [],
): Promise<Row[]> => {
  const statement = {
    ...query,
    types: EXACT_TYPES,
    values: [at.height, bytesOf('block id', at.id), ...values],
  };
  const { rows } = await pool.query(statement).catch((error: unknown) => {
    throw asUnavailable(error);
  });
  if (rows.length === 0) throw new HeadPassedError(at);
  return rows as Row[];
};

export interface JsonRow {
  readonly json: string | null;
  readonly lost: bigint;
}

/** The objects of a row of `jsonRows`. */
export const jsonOf = ({ name }: Pick<NamedQuery, 'name'>, { json, lost }: JsonRow): string => {
  // A list that silently omits something would be worse than none.
  if (lost !== 0n)
    throw new Error(`The query "${name}" returned ${lost} rows with a null in a required field.`);
  return json ?? '';
};

/** Like `rowsAtHead`, for a `listAtHead` query: the objects, separated by commas; empty if there are none. */
export const jsonAtHead = async (
  pool: ReaderPool,
  at: BlockRef,
  query: NamedQuery,
  values: readonly unknown[] = [],
): Promise<string> => {
  const [row] = await rowsAtHead<JsonRow>(pool, at, query, values);
  return jsonOf(query, row!);
};
