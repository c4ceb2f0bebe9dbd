import type { NamedQuery } from './queries/named-query.js';

export interface Statement extends NamedQuery {
  readonly values?: unknown[];
}

/** What the readers need of a connection pool. Its sessions are read-only. */
export interface ReaderPool {
  query(statement: Statement): Promise<{ rows: unknown[] }>;
}
