import { setTimeout as wait } from 'node:timers/promises';
import { DataSource, MigrationExecutor, QueryFailedError, type QueryRunner } from 'typeorm';
import { MigrationBlockedError } from './migration-blocked.error.js';
import { migrations } from './migrations/index.js';
import { ObsoleteIndexError } from './obsolete-index.error.js';
import { schemaStateOf } from './schema-state.js';

/** Programs that migrate the same database wait for each other on this advisory lock. */
const MIGRATION_LOCK = 7_466_501;

const TRY_AGAIN_MS = 200;

const LOCK_NOT_AVAILABLE = '55P03';

export interface MigrateOptions {
  /**
   * How long a migration's statement waits for a table that is in use. The wait is short because all later users of the
   * table wait behind it. (Default: 3000)
   */
  readonly lockTimeoutMs?: number;
  /** How often a migration that could not lock a table is tried. (Default: 10) */
  readonly attempts?: number;
}

/**
 * Brings the schema up to date and returns the names of the migrations that ran. Safe to run twice, in parallel, and
 * while older programs use the tables. Throws `MigrationBlockedError` if a table stays locked, and `ObsoleteIndexError`
 * on an index that no migration can bring up to date.
 */
export const migrate = async (
  databaseUrl: string,
  { lockTimeoutMs = 3_000, attempts = 10 }: MigrateOptions = {},
): Promise<string[]> => {
  const dataSource = new DataSource({
    type: 'postgres',
    url: databaseUrl,
    migrations,
    migrationsTableName: 'migrations',
    applicationName: 'roundhouse-migrate',
    extra: { options: `-c lock_timeout=${lockTimeoutMs}` },
  });
  await dataSource.initialize();
  try {
    const lock = dataSource.createQueryRunner();
    await takeLock(lock);
    try {
      return await run(dataSource, attempts);
    } finally {
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await lock.release();
    }
  } finally {
    await dataSource.destroy();
  }
};

// Polls, because a session that waits within a statement keeps a snapshot, and CREATE INDEX CONCURRENTLY in the other
// program would wait for that.
const takeLock = async (runner: QueryRunner): Promise<void> => {
  for (;;) {
    const rows = (await runner.query('SELECT pg_try_advisory_lock($1) AS taken', [MIGRATION_LOCK])) as [
      { taken: boolean },
    ];
    if (rows[0].taken) return;
    await wait(TRY_AGAIN_MS);
  }
};

const run = async (dataSource: DataSource, attempts: number): Promise<string[]> => {
  let pending: string[] | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      pending ??= await listPending(dataSource);
      await dataSource.runMigrations({ transaction: 'each' });
      return pending;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt >= attempts) throw new MigrationBlockedError(error);
      await wait(TRY_AGAIN_MS);
    }
  }
};

const listPending = async (dataSource: DataSource): Promise<string[]> => {
  const executor = new MigrationExecutor(dataSource);
  const done = await executor.getExecutedMigrations();
  if (schemaStateOf(done.map(({ name }) => name)).kind === 'obsolete') throw new ObsoleteIndexError();
  return (await executor.getPendingMigrations()).map(({ name }) => name);
};

const isLockTimeout = (error: unknown): error is QueryFailedError =>
  error instanceof QueryFailedError &&
  (error.driverError as Error & { code?: string }).code === LOCK_NOT_AVAILABLE;
