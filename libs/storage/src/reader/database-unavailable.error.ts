import pg from 'pg';

/** The database cannot answer just now; the same question may be asked again later. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE';

  constructor(cause: Error) {
    super(`The database does not answer: ${cause.message}`, { cause });
    this.name = 'DatabaseUnavailableError';
  }
}

/** Connection, log-in, resources, intervention by the operator, system: PostgreSQL's classes of passing trouble. */
const PASSING = /^(08|28|53|57|58)/;

/** Gives passing trouble its name; a fault in a query stays what it is. */
export const asUnavailable = (error: unknown): Error => {
  if (error instanceof pg.DatabaseError && !PASSING.test(error.code ?? '')) return error;
  return new DatabaseUnavailableError(error as Error);
};
