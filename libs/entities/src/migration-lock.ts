import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** Programs that migrate the same database wait for each other on this advisory lock. */
const MIGRATION_LOCK = 7_466_501;

const TRY_AGAIN_MS = 200;

const TRY = `SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS taken`;

/** Does work while no other program migrates. If it fails, the lock stays with the session: end that. */
export const withMigrationLock = async <T>(client: ClientBase, work: () => Promise<T>): Promise<T> => {
  // Polls, because a session that waits within a statement keeps a snapshot, and CREATE INDEX CONCURRENTLY in the other
  // program would wait for that.
  while (!(await client.query<{ taken: boolean }>(TRY)).rows[0]!.taken) await wait(TRY_AGAIN_MS);
  const result = await work();
  await client.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`);
  return result;
};
