import type { ReaderPool, Statement } from './reader-pool.js';

export interface SlowQuery {
  readonly name: string;
  readonly values: readonly unknown[];
  /** From the question to its outcome, a wait for a connection included. */
  readonly durationMs: number;
}

/** The same pool, telling of each query that takes `slowMs` or longer, whether it fails or not; 0 tells of none. */
export const tellSlowQueries = (
  pool: ReaderPool,
  slowMs: number,
  tell: (query: SlowQuery) => void,
): ReaderPool => {
  if (slowMs === 0) return pool;
  return {
    query: async (statement: Statement) => {
      const startedAt = performance.now();
      try {
        return await pool.query(statement);
      } finally {
        const durationMs = performance.now() - startedAt;
        if (durationMs >= slowMs) tell({ name: statement.name, values: statement.values ?? [], durationMs });
      }
    },
  };
};
