import type { BlockRef } from '@roundhouse/chain';
import pg from 'pg';

/** The tables are no longer at the requested head: read the head again and repeat the query. */
export class HeadPassedError extends Error {
  override readonly name = 'HeadPassedError';
  readonly code = 'HEAD_PASSED';

  constructor(at: BlockRef) {
    super(`The tables are no longer at the head ${at.height} (${at.id}); ask again at the new one.`);
  }
}

/** The index keeps no history, so it cannot answer about a height below its head. */
export class NoHistoryError extends Error {
  override readonly name = 'NoHistoryError';
  readonly code = 'NO_HISTORY';

  constructor() {
    super('This index keeps no history; set HISTORY=full for its indexer and run "indexer rebuild".');
  }
}

/** The index was begun by a version that did not keep what is asked for. */
export class NoDetailsError extends Error {
  override readonly name = 'NoDetailsError';
  readonly code = 'NO_DETAILS';

  constructor() {
    super('An earlier version began this index, so it lacks this; run "indexer rebuild".');
  }
}

/** A list took too long to read, usually because its page lies too deep. The same query would take as long again. */
export class QueryTooLongError extends Error {
  override readonly name = 'QueryTooLongError';
  readonly code = 'QUERY_TOO_LONG';

  constructor(cause: Error) {
    super(`The query took too long and was given up: ${cause.message}`, { cause });
  }
}

/** A request for what a node itself fails at: a pattern or a number that its database refuses, an order by a list. */
export class RefusedByNodeError extends Error {
  override readonly name = 'RefusedByNodeError';
  readonly code = 'REFUSED_BY_NODE';
}

/** The database cannot answer now; the same query may succeed later. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  readonly code = 'DATABASE_UNAVAILABLE';

  constructor(cause: Error) {
    super(`The database does not answer: ${cause.message}`, { cause });
  }
}

/**
 * PostgreSQL's classes of temporary trouble: connection, log-in, conflicts with the replay of a replica, resources,
 * operator intervention, system.
 */
const PASSING = /^(08|28|40|53|57|58)/;

/** Turns temporary trouble into `DatabaseUnavailableError`; other errors, such as a fault in a query, stay as they are. */
export const asUnavailable = (error: unknown): Error => {
  if (error instanceof QueryTooLongError) return error;
  if (error instanceof pg.DatabaseError && !PASSING.test(error.code ?? '')) return error;
  return new DatabaseUnavailableError(error as Error);
};
