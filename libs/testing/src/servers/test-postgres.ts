import { buildMissingIndexes, migrate } from '@roundhouse/entities';
import {
  startLocalPostgres,
  withClient,
  withDatabase,
  type LocalPostgres,
  type LocalPostgresOptions,
} from '@roundhouse/local-postgres';
import { TEMPLATE_DATABASE } from '../database/test-database.js';

/** The data need not survive a crash, so nothing waits for the disk. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 300 };

/** `TEST_POSTGRES_BIN` names the folder of a PostgreSQL to test with instead of the embedded one. */
export const startPostgres = ({ settings, ...options }: LocalPostgresOptions = {}): Promise<LocalPostgres> =>
  startLocalPostgres({
    binaries: process.env['TEST_POSTGRES_BIN'],
    // The sessions of tests find the tables. Programs set it themselves.
    settings: { search_path: 'roundhouse,public', ...settings },
    ...options,
  });

/** A server with a migrated database to clone, which has the indexes of lists. */
export const startTestPostgres = async (directory: string): Promise<LocalPostgres> => {
  const postgres = await startPostgres({ directory, settings: SETTINGS });
  await postgres.administer(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  const url = withDatabase(postgres.url, TEMPLATE_DATABASE);
  await migrate(url);
  await withClient(url, buildMissingIndexes);
  return postgres;
};
