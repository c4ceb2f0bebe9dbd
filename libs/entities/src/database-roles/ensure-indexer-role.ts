import { escapeIdentifier, type ClientBase } from 'pg';
import {
  ensureLoginRole,
  setSessionDefaults,
  type LoginRole,
  type SessionDefaults,
} from './ensure-login-role.js';
import {
  currentDatabase,
  inIndex,
  LEDGER,
  listOwnSequences,
  listOwnTables,
  narrowPublic,
} from './privileges.js';
import { INDEX_SCHEMA } from '../session.js';

// No statement_timeout: a batch may be large, and a digest reads everything.
const DEFAULTS: SessionDefaults = { idle_in_transaction_session_timeout: '60s' };

/**
 * Creates or updates the role of the indexer: it writes and empties the tables of the index and cannot change the
 * schema, except by the function that builds the indexes of lists. `grantQueues` of libs/jobs grants what it needs in the queues' schema.
 */
export const ensureIndexerRole = async (client: ClientBase, role: LoginRole): Promise<void> => {
  await ensureLoginRole(client, role);
  const name = escapeIdentifier(role.name);
  const database = await currentDatabase(client);
  await narrowPublic(client, database);
  const tables = (await listOwnTables(client)).filter((table) => table !== LEDGER);
  const sequences = (await listOwnSequences(client)).filter((sequence) => !sequence.startsWith(`${LEDGER}_`));
  await client.query(`
    GRANT CONNECT, TEMPORARY ON DATABASE ${escapeIdentifier(database)} TO ${name};
    GRANT USAGE ON SCHEMA ${INDEX_SCHEMA} TO ${name};
    GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ${inIndex(tables)} TO ${name};
    GRANT SELECT ON ${inIndex([LEDGER])} TO ${name};
    GRANT EXECUTE ON FUNCTION ${INDEX_SCHEMA}.build_missing_index() TO ${name};
    GRANT USAGE ON SCHEMA checkpoint TO ${name};
    GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA checkpoint TO ${name};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${INDEX_SCHEMA}
      GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON TABLES TO ${name};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${INDEX_SCHEMA} GRANT USAGE, SELECT ON SEQUENCES TO ${name}`);
  if (sequences.length > 0) {
    await client.query(`GRANT USAGE, SELECT ON SEQUENCE ${inIndex(sequences)} TO ${name}`);
  }
  if (role.password !== null) await setSessionDefaults(client, role.name, database, DEFAULTS);
};
