import pg from 'pg';
import { QueryTooLongError } from './core-v1/query-too-long.error.js';

/** The database cannot answer now; the same query may succeed later. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE';

  constructor(cause: Error) {
    super(`The database does not answer: ${cause.message}`, { cause });
    this.name = 'DatabaseUnavailableError';
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
