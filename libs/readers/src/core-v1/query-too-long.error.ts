/** A list took too long to read, usually because its page lies too deep. The same query would take as long again. */
export class QueryTooLongError extends Error {
  readonly code = 'QUERY_TOO_LONG';

  constructor(cause: Error) {
    super(`The query took too long and was given up: ${cause.message}`, { cause });
    this.name = 'QueryTooLongError';
  }
}
