import { ALL_WEIGHTS_EVERY, type BlockRef } from '@roundhouse/chain';
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

/** SQL of a delegate's values, except for its weight, after the block at `height`. */
export const delegateAt = (delegate: string, height: string): string =>
  `(SELECT * FROM history_delegates n
  WHERE n.delegate = ${delegate} AND n.height <= ${height} ORDER BY n.height DESC LIMIT 1)`;

/** SQL of the rows, as `w`, that have the weights of all delegates after the block at `height`. */
const weightRows = (height: string): string =>
  `history_weights w WHERE w.height <= ${height} AND w.height >= ${height}::integer - ${height}::integer % ${ALL_WEIGHTS_EVERY}`;

/** SQL of the weights of all delegates, by number, after the block at `height`. */
export const weightsAt = (height: string): string =>
  `(SELECT DISTINCT ON (listed.delegate) listed.delegate, listed.weight
  FROM (SELECT * FROM ${weightRows(height)}) w CROSS JOIN LATERAL unnest(w.delegates, w.weights) AS listed (delegate, weight)
  ORDER BY listed.delegate, w.height DESC)`;

/** SQL of the weight of one delegate after the block at `height`. */
export const weightAt = (delegate: string, height: string): string =>
  `(SELECT w.weights[array_position(w.delegates, ${delegate})] AS weight
  FROM ${weightRows(height)} AND ${delegate} = ANY (w.delegates) ORDER BY w.height DESC LIMIT 1)`;

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
