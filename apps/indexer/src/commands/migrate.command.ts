import { ensureApiRole, ensureIndexerRole, migrate as migrateTables } from '@roundhouse/entities';
import { grantQueues, migrateQueues } from '@roundhouse/jobs';
import { connectDatabase } from '../database/check-database.js';
import type { MigrateSettings } from '../migrate.config.js';

/** Brings the schema of the index and that of the queues up to date, then the roles of the apps. */
export const migrate = async (settings: MigrateSettings): Promise<void> => {
  const { DATABASE_URL } = settings;
  await (await connectDatabase(DATABASE_URL)).end();
  const done = await migrateTables(DATABASE_URL);
  await migrateQueues(DATABASE_URL);
  console.log(done.length === 0 ? 'The schema is up to date.' : `Migrated: ${done.join(', ')}.`);
  const roles = await ensureRoles(settings);
  if (roles.length > 0) console.log(`The roles are up to date: ${roles.join(', ')}.`);
};

const ensureRoles = async (settings: MigrateSettings): Promise<string[]> => {
  const { API_ROLE, API_DATABASE_PASSWORD, INDEXER_ROLE, INDEXER_DATABASE_PASSWORD } = settings;
  const roles: string[] = [];
  const client = await connectDatabase(settings.DATABASE_URL);
  try {
    if ((API_ROLE ?? API_DATABASE_PASSWORD) !== undefined) {
      const name = API_ROLE ?? 'roundhouse_api';
      const connectionLimit = settings.API_CONNECTION_LIMIT;
      await ensureApiRole(client, { name, password: API_DATABASE_PASSWORD ?? null, connectionLimit });
      roles.push(name);
    }
    if ((INDEXER_ROLE ?? INDEXER_DATABASE_PASSWORD) !== undefined) {
      const name = INDEXER_ROLE ?? 'roundhouse_indexer';
      const connectionLimit = settings.INDEXER_CONNECTION_LIMIT;
      await ensureIndexerRole(client, { name, password: INDEXER_DATABASE_PASSWORD ?? null, connectionLimit });
      await grantQueues(settings.DATABASE_URL, name);
      roles.push(name);
    }
  } finally {
    await client.end();
  }
  return roles;
};
