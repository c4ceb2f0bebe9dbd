import { DataSource } from 'typeorm';
import { migrations } from './migrations/index.js';

/** Any two programs that migrate the same database wait for each other on this advisory lock. */
const MIGRATION_LOCK = 7_466_501;

/** Brings the schema up to date and gives the names of the migrations that ran. Safe to run twice and side by side. */
export const migrate = async (databaseUrl: string): Promise<string[]> => {
  const dataSource = new DataSource({
    type: 'postgres',
    url: databaseUrl,
    migrations,
    migrationsTableName: 'migrations',
  });
  await dataSource.initialize();
  try {
    const lock = dataSource.createQueryRunner();
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      const done = await dataSource.runMigrations({ transaction: 'each' });
      return done.map((migration) => migration.name);
    } finally {
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await lock.release();
    }
  } finally {
    await dataSource.destroy();
  }
};
