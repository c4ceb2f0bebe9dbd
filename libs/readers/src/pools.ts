import { openPool } from '@roundhouse/config';
import { sessionOptions, SET_SESSION } from '@roundhouse/entities';
import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { patientPool, type ReaderPool, type Statement } from './at-head.js';
import { QueryTooLongError } from './errors.js';

export interface PoolOptions {
  readonly url: string;
  readonly applicationName: string;
  /** Whether the sessions belong to a pooler. It takes no `options`, so the role's defaults count. (Default: false) */
  readonly isPooled?: boolean;
  readonly onPoolError: (error: Error) => void;
}

interface ReaderOptions extends PoolOptions {
  readonly poolSize: number;
  /** Called with the pool that TypeORM opens. */
  readonly onOpen: (pool: pg.Pool) => void;
}

/** Longer than any query of the reader should take, but short enough that a client does not wait long. */
const QUERY_TIMEOUT_MS = 5000;

/**
 * A session plans each statement once. Otherwise PostgreSQL plans many of them each time, because their limits are parameters.
 * Planning takes up to half of the time. Tests run all of these statements with such a plan, too.
 */
const PLAN_ONCE = 'plan_cache_mode=force_generic_plan';

/** How long one query of a list may take. A node's own lists have offsets and filters of any cost. */
const LIST_TIMEOUT_MS = 2000;

/** Sessions that can only read, whatever the role's rights are, unless they belong to a pooler. */
const readOnly = ({ isPooled = false }: PoolOptions, ...settings: readonly string[]): pg.PoolConfig => ({
  ...(!isPooled && {
    options: sessionOptions('default_transaction_read_only=on', ...settings),
  }),
  keepAlive: true,
});

/** TypeORM opens its pool with this class, so the readers have the pool without reaching into TypeORM. */
const poolClass = ({ onOpen }: ReaderOptions) =>
  function ReaderPool(config: pg.PoolConfig): pg.Pool {
    // TypeORM tells its `poolErrorHandler` of idle connections.
    const pool = openPool(config, () => undefined);
    onOpen(pool);
    return pool;
  };

export const readerDataSourceOptions = (options: ReaderOptions): DataSourceOptions => ({
  type: 'postgres',
  driver: { ...pg, Pool: poolClass(options) },
  url: options.url,
  applicationName: options.applicationName,
  poolSize: options.poolSize,
  poolErrorHandler: options.onPoolError,
  connectTimeoutMS: 1000,
  installExtensions: false,
  extra: {
    ...readOnly(options, `statement_timeout=${QUERY_TIMEOUT_MS}`, PLAN_ONCE),
    query_timeout: QUERY_TIMEOUT_MS,
  },
});

/** How long a query waits for a connection. */
const CONNECT_TIMEOUT_MS = 5000;

/** A pool besides that of TypeORM. */
export const openConnections = (options: Omit<PoolOptions, 'isPooled'>, config: pg.PoolConfig): pg.Pool =>
  openPool(
    {
      connectionString: options.url,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...config,
    },
    options.onPoolError,
  );

/** So few that these queries never take the database from the others. */
export const LIST_CONNECTIONS = 3;

const QUERY_CANCELED = '57014';

/**
 * The connections for lists whose cost grows with a parameter of the request. They are separate from the other
 * readers' connections, and each query is bounded in time, so deep pages slow down nothing but other such lists.
 */
export class ListPool implements ReaderPool {
  private readonly pool: pg.Pool;
  private readonly sender: ReaderPool;

  constructor(options: PoolOptions) {
    const { isPooled = false } = options;
    const limits = readOnly(options, `statement_timeout=${LIST_TIMEOUT_MS}`);
    this.pool = openConnections(options, { max: LIST_CONNECTIONS, ...limits });
    const sender = { query: (statement: Statement) => this.queryInTransaction(statement) };
    this.sender = patientPool(isPooled ? sender : this.pool, isPooled);
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
      await client.query(`BEGIN READ ONLY; ${SET_SESSION}; SET LOCAL statement_timeout = ${LIST_TIMEOUT_MS}`);
      const result = await client.query(statement);
      await client.query('COMMIT');
      isComplete = true;
      return result;
    } finally {
      client.release(!isComplete);
    }
  }
}
