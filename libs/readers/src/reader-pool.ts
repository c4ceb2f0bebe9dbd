import pg, { type CustomTypesConfig } from 'pg';

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

/** A replica cancels a reading if it needs rows that the primary has removed, or holds a lock that replay waits for. */
const CONFLICTS_WITH_REPLAY: readonly unknown[] = ['40001', '40P01'];

/**
 * Asks once more if replay on a replica has cancelled the reading; the second one sees a newer state. With `isPooled`,
 * no statement keeps its name: the next transaction may run in a session that does not know it.
 */
export const patientPool = (pool: ReaderPool, isPooled: boolean): ReaderPool => ({
  query: async (statement) => {
    const { name, ...unnamed } = statement;
    const sent = isPooled ? unnamed : statement;
    try {
      return await pool.query(sent);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !CONFLICTS_WITH_REPLAY.includes(error.code)) throw error;
      return pool.query(sent);
    }
  },
});
