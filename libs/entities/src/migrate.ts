import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { withMigrationLock } from './migration-lock.js';
import { migrations } from './migrations/index.js';
import { schemaState } from './schema-state.js';
import { INDEX_SCHEMA, sessionOptions, sessionProblem } from './session.js';

/** An index cannot be in this database; the message says what to do. */
export class UnusableDatabaseError extends Error {
  readonly code = 'UNUSABLE_DATABASE';

  constructor(problem: string) {
    super(problem);
    this.name = 'UnusableDatabaseError';
  }
}

/** Other sessions held a table that a migration needs. Earlier migrations are kept; run the rest again. */
export class MigrationBlockedError extends Error {
  readonly code = 'MIGRATION_BLOCKED';

  constructor(cause: Error) {
    super(
      'A migration could not lock a table that another session has locked: end long transactions ' +
        '(SELECT * FROM pg_stat_activity shows them) and migrate again.',
      { cause },
    );
    this.name = 'MigrationBlockedError';
  }
}

const TRY_AGAIN_MS = 200;

/** A lock that was not to be had in time, and a deadlock with a program that writes. */
const BUSY: readonly unknown[] = ['55P03', '40P01'];

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
 * while older programs use the tables. Throws `MigrationBlockedError` if a table stays locked, and `UnusableDatabaseError`
 * before anything is written if the tables are those of an old version or of another program, or the encoding is not UTF8.
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
    extra: { options: sessionOptions(`lock_timeout=${lockTimeoutMs}`) },
  });
  await dataSource.initialize();
  try {
    const lock = dataSource.createQueryRunner();
    try {
      const client = (await lock.connect()) as ClientBase;
      return await withMigrationLock(client, () => run(dataSource, lock, attempts));
    } finally {
      await lock.release();
    }
  } finally {
    await dataSource.destroy();
  }
};

const refuseUnusable = async (client: ClientBase): Promise<void> => {
  const state = await schemaState(client);
  const problem = (await sessionProblem(client)) ?? ('problem' in state ? state.problem : null);
  if (problem !== null) throw new UnusableDatabaseError(problem);
};

/** The first migrations make tables in `public`; one of them moves all, and sets this too. */
const SET_PATH = `SELECT set_config('search_path',
  CASE WHEN to_regclass('${INDEX_SCHEMA}.migrations') IS NULL THEN 'public' ELSE '${INDEX_SCHEMA}' END, false)`;

const run = async (dataSource: DataSource, lock: QueryRunner, attempts: number): Promise<string[]> => {
  let pending: string[] | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await lock.query('RESET search_path');
      await refuseUnusable((await lock.connect()) as ClientBase);
      await lock.query(SET_PATH);
      const executor = new MigrationExecutor(dataSource, lock);
      executor.transaction = 'each';
      pending ??= (await executor.getPendingMigrations()).map(({ name }) => name);
      await executor.executePendingMigrations();
      return pending;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (attempt >= attempts) throw new MigrationBlockedError(error);
      await wait(TRY_AGAIN_MS);
    }
  }
};

const isBusy = (error: unknown): error is Error =>
  error instanceof Error && BUSY.includes((error as { code?: string }).code);
