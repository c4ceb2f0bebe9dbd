import { migrate as migrateTables } from '@roundhouse/entities';
import { migrateQueues } from '@roundhouse/jobs';
import { connectDatabase } from '../database/check-database.js';
import type { DatabaseSettings } from '../indexer.config.js';

/** Brings the schema of the index and that of the queues up to date. */
export const migrate = async ({ DATABASE_URL }: DatabaseSettings): Promise<void> => {
  await (await connectDatabase(DATABASE_URL)).end();
  const done = await migrateTables(DATABASE_URL);
  await migrateQueues(DATABASE_URL);
  console.log(done.length === 0 ? 'The schema is up to date.' : `Migrated: ${done.join(', ')}.`);
};
