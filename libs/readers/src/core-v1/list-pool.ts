import { openPool } from '@roundhouse/config';
import { sessionOptions, SET_SESSION } from '@roundhouse/entities';
import pg from 'pg';
import { patientPool, type ReaderPool, type Statement } from '../reader-pool.js';
import { QueryTooLongError } from './query-too-long.error.js';

interface ListPoolOptions {
  readonly url: string;
  readonly applicationName: string;
  /** Whether a pooler lends a session for each transaction. (Default: false) */
  readonly isPooled?: boolean;
  readonly onPoolError: (error: Error) => void;
}

/** So few that these queries never take the database from the others. */
export const LIST_CONNECTIONS = 3;

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
  private readonly sender: ReaderPool;

  constructor({ url, applicationName, isPooled = false, onPoolError }: ListPoolOptions) {
    this.pool = openPool(
      {
        connectionString: url,
        application_name: applicationName,
        max: LIST_CONNECTIONS,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        ...(isPooled
          ? {}
          : {
              options: sessionOptions(
                'default_transaction_read_only=on',
                `statement_timeout=${STATEMENT_TIMEOUT_MS}`,
              ),
            }),
        keepAlive: true,
      },
      onPoolError,
    );
    const sender = isPooled
      ? { query: (statement: Statement) => this.queryInTransaction(statement) }
      : this.pool;
    this.sender = patientPool(sender, isPooled);
  }

  /** Throws `QueryTooLongError` if PostgreSQL gave up. */
  async query(statement: Statement): Promise<{ rows: unknown[] }> {
    try {
      return await this.sender.query(statement);
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === QUERY_CANCELED)
        throw new QueryTooLongError(error);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  /** A pooler's sessions take no limits of ours, but a transaction does. */
  private async queryInTransaction(statement: Statement): Promise<{ rows: unknown[] }> {
    const client = await this.pool.connect();
    let isComplete = false;
    try {
      await client.query(
        `BEGIN READ ONLY; ${SET_SESSION}; SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
      );
      const result = await client.query(statement);
      await client.query('COMMIT');
      isComplete = true;
      return result;
    } finally {
      client.release(!isComplete);
    }
  }
}
