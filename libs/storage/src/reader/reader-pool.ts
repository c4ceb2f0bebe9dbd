import type { CustomTypesConfig } from 'pg';

/** A prepared statement. The name identifies it within a session, so a name always has the same text. */
export interface NamedQuery {
  readonly name: string;
  readonly text: string;
}

export interface Statement extends NamedQuery {
  readonly values?: unknown[];
  readonly types?: CustomTypesConfig;
}

/** What the readers need of a connection pool. Its sessions are read-only. */
export interface ReaderPool {
  query(statement: Statement): Promise<{ rows: unknown[] }>;
}
