import { setTimeout as wait } from 'node:timers/promises';
import { NOT_MIGRATED, schemaState, sessionProblem, isBehindPooler } from '@roundhouse/entities';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { patientPool, readerDataSourceOptions } from '@roundhouse/readers';
import type { ApiSettings } from '../api.config.js';
import { OperatorError, tlsAdvice } from '@roundhouse/config';
import { isPooled, readerPool, readerUrl } from './reader-url.js';

/** Connections to PostgreSQL, in addition to the one that watches the head. */
const POOL_SIZE = 10;

/** Long enough for a database that is just starting. */
const RETRY_FOR_MS = 5000;

const RETRY_EVERY_MS = 250;

const placeOf = (url: string): string => {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
};

// A name with several addresses fails with an AggregateError, which has a code and no message.
const reasonOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'unknown reason');
};

const USE_POOLER = 'set DATABASE_POOLER=transaction';

/** Null if waiting may help: it corrects no certificate, no URL and no setting. */
const adviceFor = (error: unknown): string | null => {
  // PgBouncer before 1.20 refuses the settings of our sessions; later ones refuse most of them.
  const isRefusedByPooler = /unsupported startup parameter/.test((error as Error).message);
  return isRefusedByPooler ? `a connection pooler answers there: ${USE_POOLER}` : tlsAdvice(error);
};

/** Throws `OperatorError` if a pooler answers that no setting names, or if the database cannot hold an index. */
const checkSessions = async (pool: Pool, settings: ApiSettings, logger: Logger): Promise<void> => {
  const client = await pool.connect();
  const isLent = isPooled(settings);
  try {
    if (!isLent && (await isBehindPooler(client)))
      throw new OperatorError(
        `A connection pooler answers for the database at ${placeOf(readerUrl(settings))}: ${USE_POOLER}, or name the server itself.`,
      );
    const schema = await schemaState(patientPool(client, isLent));
    if (schema.kind === 'older') logger.warn(NOT_MIGRATED);
    const problem = schema.kind === 'foreign' ? schema.problem : await sessionProblem(client);
    if (problem !== null) throw new OperatorError(problem);
    if (!isLent) return;
    const { rows } = await client.query<{ statement_timeout: string }>('SHOW statement_timeout');
    if (rows[0]!.statement_timeout === '0')
      logger.warn(
        "the pooler's sessions have no statement_timeout, so a query may go on after its request was given up: use the role that indexer migrate creates for the api",
      );
  } finally {
    client.release();
  }
};

/** TypeORM's data source and its pool. */
export interface Database {
  readonly dataSource: DataSource;
  readonly pool: Pool;
}

/** Throws `OperatorError` if the database cannot be reached within a few seconds. */
export const connectDatabase = async (settings: ApiSettings, logger: Logger): Promise<Database> => {
  const url = readerUrl(settings);
  const variable = settings.DATABASE_READ_URL === undefined ? 'DATABASE_URL' : 'DATABASE_READ_URL';
  let pool!: Pool;
  const options = readerDataSourceOptions({
    ...readerPool(settings, logger, 'roundhouse-api'),
    poolSize: POOL_SIZE,
    onOpen: (opened) => (pool = opened),
  });
  const giveUpAt = performance.now() + RETRY_FOR_MS;
  for (;;) {
    const dataSource = new DataSource(options);
    try {
      await dataSource.initialize();
      await checkSessions(pool, settings, logger);
      return { dataSource, pool };
    } catch (error) {
      if (dataSource.isInitialized) await dataSource.destroy();
      if (error instanceof OperatorError) throw error;
      const advice = adviceFor(error);
      if (advice === null && performance.now() < giveUpAt) {
        await wait(RETRY_EVERY_MS);
        continue;
      }
      throw new OperatorError(
        `The database at ${placeOf(url)} cannot be reached (${reasonOf(error)}): ${advice ?? 'start it'}, or correct ${variable}.`,
        { cause: error },
      );
    }
  }
};
