import { eventually } from '@roundhouse/testing';
import type { DataSource } from 'typeorm';

export interface LockedBlocks {
  /** Waits until so many sessions of the database wait for a lock. */
  untilWaiting(count: number): Promise<number>;
  unlock(): Promise<void>;
}

/** From now on nobody can read blocks, nor these other tables. */
export const lockBlocks = async (
  database: DataSource,
  ...others: readonly string[]
): Promise<LockedBlocks> => {
  const session = database.createQueryRunner();
  await session.startTransaction();
  await session.query(`LOCK TABLE ${['blocks', ...others].join(', ')}`);
  return {
    untilWaiting: (count) =>
      eventually(`${count} sessions wait for the lock`, async () => {
        const waiting = await database.query<unknown[]>(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        );
        return waiting.length === count;
      }),
    unlock: async () => {
      await session.commitTransaction();
      await session.release();
    },
  };
};
