import { escapeIdentifier, type ClientBase } from 'pg';
import {
  refusedBlocks,
  roundDigests,
  stagedRanges,
  stateSums,
  TABLES,
  undoDelegates,
  undoLocks,
  webhookEvents,
  webhooks,
  type Table,
} from '../tables/index.js';
import {
  ensureLoginRole,
  setSessionDefaults,
  type LoginRole,
  type SessionDefaults,
} from './ensure-login-role.js';
import { currentDatabase, inIndex, LEDGER, listOwnTables, narrowPublic } from './privileges.js';
import { INDEX_SCHEMA, SESSION_DEFAULTS } from '../session.js';

/** Only the indexer reads these. */
const UNREADABLE: readonly Table[] = [
  undoDelegates,
  undoLocks,
  roundDigests,
  stateSums,
  stagedRanges,
  refusedBlocks,
  webhooks,
  webhookEvents,
];

const READABLE: readonly string[] = [
  ...TABLES.filter((table) => !UNREADABLE.includes(table)).map(({ name }) => name),
  LEDGER,
];

/** A safety net: the api's own timeouts are shorter. */
const DEFAULTS: SessionDefaults = {
  ...SESSION_DEFAULTS,
  default_transaction_read_only: 'on',
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
  // Longer than an idle connection stays in the api's pool.
  idle_session_timeout: '5min',
  // Since PostgreSQL 17.
  transaction_timeout: '30s',
};

/**
 * Creates or updates the role of the api: it has only SELECT on the tables that it needs. It can also read tables that
 * later migrations add, until this runs again: each run revokes the rights on tables that are not listed here.
 */
export const ensureApiRole = async (client: ClientBase, role: LoginRole): Promise<void> => {
  await ensureLoginRole(client, role);
  const name = escapeIdentifier(role.name);
  const database = await currentDatabase(client);
  await narrowPublic(client, database);
  const tables = await listOwnTables(client);
  await client.query(`
    GRANT CONNECT ON DATABASE ${escapeIdentifier(database)} TO ${name};
    GRANT USAGE ON SCHEMA ${INDEX_SCHEMA} TO ${name};
    REVOKE ALL ON ${inIndex(tables)} FROM ${name};
    GRANT SELECT ON ${inIndex(tables.filter((table) => READABLE.includes(table)))} TO ${name};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${INDEX_SCHEMA} GRANT SELECT ON TABLES TO ${name}`);
  if (role.password !== null) await setSessionDefaults(client, role.name, database, DEFAULTS);
};
