import type { BlockRef } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import { LOWEST_HEAD } from '@roundhouse/entities/sql';
import { atHead, rowsAtHead } from './at-head.js';
import { NoHistoryError } from './no-history.error.js';
import type { NamedQuery, ReaderPool } from './reader-pool.js';

/** What was found at a height. */
export interface FoundAt<T> {
  readonly found: T;
  /** The lowest height that undoing can make the head: what was found at or below it never changes. */
  readonly lowestHead: number;
}

interface ReachRow {
  readonly hasHistory: boolean;
  readonly lowestHead: number;
}

/** SQL like `atHead`, for `historyRows`. */
export const historyAtHead = (columns: string, joins: string): string =>
  atHead(
    `h.has_history AS "hasHistory", (SELECT ${LOWEST_HEAD} FROM head) AS "lowestHead", ${columns}`,
    joins,
  );

/** The rows of a `historyAtHead` query. Throws `NoHistoryError`, `HeadPassedError` and `DatabaseUnavailableError`. */
export const historyRows = async <Row extends object>(
  pool: ReaderPool,
  at: BlockRef,
  query: NamedQuery,
  values: readonly unknown[],
): Promise<(Row & ReachRow)[]> => {
  const rows = await rowsAtHead<Row & ReachRow>(pool, at, query, values);
  if (!rows[0]!.hasHistory) throw new NoHistoryError();
  return rows;
};

/** A delegate by one of its names. */
export type DelegateName = { readonly publicKey: string } | { readonly username: string };

/** SQL of the delegate `d` that was registered up to `height`. Its names are the two values of `delegateValues`. */
export const delegateBy = (publicKey: string, username: string, height: string): string =>
  `LEFT JOIN delegates d ON (d.public_key = ${publicKey} OR d.username = ${username}) AND d.registered_height <= ${height}`;

export const delegateValues = (delegate: DelegateName): [Buffer | null, string | null] =>
  'publicKey' in delegate ? [bytesOf('hex', delegate.publicKey), null] : [null, delegate.username];
