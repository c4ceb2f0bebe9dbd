import type { CustomTypesConfig } from 'pg';

export interface Query {
  /** Sessions keep a statement with a name. One with too many variants has none. */
  readonly name?: string;
  readonly text: string;
}

/** A prepared statement. The name identifies it within a session, so a name always has the same text. */
export interface NamedQuery extends Query {
  readonly name: string;
}

export interface Statement extends Query {
  readonly values?: unknown[];
  readonly types?: CustomTypesConfig;
}

/** What the readers need of a connection pool. Its sessions are read-only. */
export interface ReaderPool {
  query(statement: Statement): Promise<{ rows: unknown[] }>;
}
