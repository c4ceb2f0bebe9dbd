import { openPool } from '@roundhouse/config';
import { sessionOptions } from '@roundhouse/entities';
import pg, { type Pool, type PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';

interface ReaderOptions {
  readonly url: string;
  /** Maximum number of connections. */
  readonly poolSize: number;
  readonly applicationName: string;
  /** Whether the sessions belong to a pooler. It takes no `options`, so the role's defaults count. */
  readonly isPooled: boolean;
  readonly onPoolError: (error: Error) => void;
  /** Called with the pool that TypeORM opens. */
  readonly onOpen: (pool: Pool) => void;
}

/** Longer than any query of the reader should take, but short enough that a client does not wait long. */
const QUERY_TIMEOUT_MS = 5000;

/** TypeORM opens its pool with this class, so the readers have the pool without reaching into TypeORM. */
const poolClass = ({ onPoolError, onOpen }: ReaderOptions) =>
  function ReaderPool(config: PoolConfig): Pool {
    const pool = openPool(config, onPoolError);
    onOpen(pool);
    return pool;
  };

/** A pool whose sessions can only read, whatever the role's rights are, unless they belong to a pooler. */
export const readerDataSourceOptions = (options: ReaderOptions): DataSourceOptions => ({
  type: 'postgres',
  driver: { ...pg, Pool: poolClass(options) },
  url: options.url,
  applicationName: options.applicationName,
  poolSize: options.poolSize,
  poolErrorHandler: options.onPoolError,
  connectTimeoutMS: 1000,
  installExtensions: false,
  migrationsRun: false,
  synchronize: false,
  extra: {
    ...(options.isPooled
      ? {}
      : {
          options: sessionOptions(
            'default_transaction_read_only=on',
            `statement_timeout=${QUERY_TIMEOUT_MS}`,
          ),
        }),
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  },
});
