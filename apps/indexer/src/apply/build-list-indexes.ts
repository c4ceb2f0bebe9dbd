import { buildMissingIndex } from '@roundhouse/entities';
import { MAKE_WALLETS } from '@roundhouse/entities/sql';
import { liftLimits } from '@roundhouse/storage';
import { onDatabase } from '../database/check-database.js';

// Memory for sorting keys, as in a restore. If this process ends, the server ends the build at once: until then, another
// leader would wait for it.
const SESSION = `SET maintenance_work_mem = '256MB'; SET lock_timeout = '60s'; SET client_connection_check_interval = '1s'`;

/**
 * Builds missing indexes, one after the other while `hasNext`. On a connection of its own, because no statement of the
 * writer's may take so long.
 */
export const buildListIndexes = (
  databaseUrl: string,
  signal: AbortSignal,
  hasNext: () => Promise<boolean>,
): Promise<void> =>
  onDatabase(
    databaseUrl,
    async (client) => {
      await liftLimits(client);
      await client.query(SESSION);
      while (await hasNext()) await buildMissingIndex(client);
      await client.query(MAKE_WALLETS);
    },
    { application_name: 'roundhouse-indexes' },
    signal,
  );
