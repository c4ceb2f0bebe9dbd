import type { ClientBase } from 'pg';
import { withMigrationLock } from '../migration-lock.js';
import { dropStandIns } from '../migrations/1765000000000-MoveTables.js';
import { CREATE_VIEWS, DROP_VIEWS, FIND_VIEWS } from './node-views.js';
import { createViewIndexes, dropViewIndexes } from './view-indexes.js';

/** A statement that reads a view is waited for, and all later ones wait behind this. */
const LIMIT = `SET LOCAL lock_timeout = '10s';`;

/**
 * Makes the views of a node's tables in `public`, in one transaction, then the indexes that they need. Apis of the version before that still run lose their tables
 * there. The session's `search_path` begins with the schema of the index, whose owner it belongs to.
 */
export const createSqlViews = (client: ClientBase): Promise<void> =>
  withMigrationLock(client, async () => {
    await client.query(`BEGIN; ${LIMIT} ${dropStandIns}; ${CREATE_VIEWS} COMMIT`);
    await createViewIndexes(client);
  });

/** Whether they are there. */
export const hasSqlViews = async (client: ClientBase): Promise<boolean> =>
  (await client.query<{ found: boolean }>(FIND_VIEWS)).rows[0]!.found;

/** Drops them, if they are there. */
export const dropSqlViews = (client: ClientBase): Promise<void> =>
  withMigrationLock(client, async () => {
    await dropViewIndexes(client);
    await client.query(`BEGIN; ${LIMIT} ${DROP_VIEWS} COMMIT`);
  });
