import { migrate } from '@roundhouse/entities';
import type { LocalPostgres } from '@roundhouse/local-postgres';
import { startLocalPostgres } from '@roundhouse/local-postgres';
import pg from 'pg';
import { chosenBinaries } from './chosen-binaries.js';
import { TEMPLATE_DATABASE, withDatabase } from '../database/database-url.js';

/** The data need not survive a crash, so nothing waits for the disk. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 300 };

/** A server with a migrated database to clone. */
export const startTestPostgres = async (directory: string): Promise<LocalPostgres> => {
  const postgres = await startLocalPostgres({ directory, settings: SETTINGS, ...chosenBinaries() });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await client.end();
  await migrate(withDatabase(postgres.url, TEMPLATE_DATABASE));
  return postgres;
};
