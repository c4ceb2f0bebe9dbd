import pg from 'pg';
import type { ReaderPool, Statement } from '../reader/reader-pool.js';
import { QueryTooLongError } from './query-too-long.error.js';

interface ListPoolOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly onPoolError: (error: Error) => void;
}

/** So few that these queries never take the database from the others. */
const POOL_SIZE = 3;

/** How long one query may take. A node's own lists have offsets and filters of any cost. */
const STATEMENT_TIMEOUT_MS = 2000;

/** How long a query waits for a connection. */
const CONNECT_TIMEOUT_MS = 5000;

const QUERY_CANCELED = '57014';

/**
 * The connections for lists whose cost grows with a parameter of the request. They are separate from the other
 * readers' connections, and each query is bounded in time, so deep pages slow down nothing but other such lists.
 */
export class ListPool implements ReaderPool {
  private readonly pool: pg.Pool;

  constructor({ url, applicationName, onPoolError }: ListPoolOptions) {
    this.pool = new pg.Pool({
      connectionString: url,
      application_name: applicationName,
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      options: `-c default_transaction_read_only=on -c statement_timeout=${STATEMENT_TIMEOUT_MS}`,
      keepAlive: true,
    });
    this.pool.on('error', onPoolError);
  }

  /** Throws `QueryTooLongError` if PostgreSQL gave up. */
  async query(statement: Statement): Promise<{ rows: unknown[] }> {
    try {
      return await this.pool.query(statement);
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === QUERY_CANCELED)
        throw new QueryTooLongError(error);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
