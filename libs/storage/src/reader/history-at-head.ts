import type { BlockRef } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import { LOWEST_HEAD } from '../writer/undo-reach.js';
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

/** SQL of the row of an account's amounts, as columns of `b`, after the block at `height`. */
export const amountsAt = (account: string, height: string): string =>
  `(SELECT balance, locked FROM history_balances b
  WHERE b.account = ${account} AND b.height <= ${height} ORDER BY b.height DESC LIMIT 1)`;

/** SQL of a delegate's values after the block at `height`. */
export const delegateAt = (delegate: string, height: string): string =>
  `(SELECT * FROM history_delegates n
  WHERE n.delegate = ${delegate} AND n.height <= ${height} ORDER BY n.height DESC LIMIT 1)`;

/** SQL of the numbers of the delegates by rank after the block at `height`. */
export const ranksAt = (height: string): string =>
  `(SELECT past.delegates FROM history_rankings past WHERE past.height <= ${height} ORDER BY past.height DESC LIMIT 1)`;

/** A delegate by one of its names. */
export type DelegateName = { readonly publicKey: string } | { readonly username: string };

/** SQL of the delegate `d` that was registered up to `height`. Its names are the two values of `delegateValues`. */
export const delegateBy = (publicKey: string, username: string, height: string): string =>
  `LEFT JOIN delegates d ON (d.public_key = ${publicKey} OR d.username = ${username}) AND d.registered_height <= ${height}`;

export const delegateValues = (delegate: DelegateName): [Buffer | null, string | null] =>
  'publicKey' in delegate ? [bytesOf('hex', delegate.publicKey), null] : [null, delegate.username];
