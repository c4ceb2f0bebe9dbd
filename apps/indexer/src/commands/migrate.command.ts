import { print } from '@roundhouse/logging';
import {
  createSqlViews,
  dropSqlViews,
  ensureApiRole,
  ensureIndexerRole,
  ensureSqlRole,
  hasSqlViews,
  migrate,
  sqlOfRole,
} from '@roundhouse/entities';
import { grantQueues, migrateQueues } from '@roundhouse/jobs';
import { defineCommand } from '../command-line/command.js';
import { readCommandSettings } from '../command-line/database-settings.js';
import { connectDatabase, onDatabase } from '../database/check-database.js';
import { migrateSettings, type MigrateSettings } from '../migrate.config.js';

/** Whether this role can log in. */
const canLogIn = async (databaseUrl: string, name: string, password: string): Promise<boolean> => {
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = encodeURIComponent(password);
  // The URL of a socket takes no user.
  if (url.username !== name) return false;
  try {
    await (await connectDatabase(url.href)).end();
    return true;
  } catch {
    return false;
  }
};

/** Grants rights to a role, and sets its password, unless the owner may not and an administrator has already set it. */
const ensureRole = async (
  databaseUrl: string,
  name: string,
  password: string | undefined,
  ensure: (name: string, password: string | null) => Promise<void>,
): Promise<string> => {
  try {
    await ensure(name, password ?? null);
  } catch (error) {
    const isRefused = (error as { code?: string }).code === 'ROLE' && password !== undefined;
    if (!isRefused || !(await canLogIn(databaseUrl, name, password))) throw error;
    await ensure(name, null);
  }
  return name;
};

const ensureRoles = async (settings: MigrateSettings): Promise<string[]> => {
  const { DATABASE_URL, API_ROLE, API_DATABASE_PASSWORD, INDEXER_ROLE, INDEXER_DATABASE_PASSWORD } = settings;
  const roles: string[] = [];
  const client = await connectDatabase(DATABASE_URL);
  try {
    if ((API_ROLE ?? API_DATABASE_PASSWORD) !== undefined) {
      const connectionLimit = settings.API_CONNECTION_LIMIT;
      const ensure = (name: string, password: string | null) =>
        ensureApiRole(client, { name, password, connectionLimit });
      const name = API_ROLE ?? 'roundhouse_api';
      roles.push(await ensureRole(DATABASE_URL, name, API_DATABASE_PASSWORD, ensure));
    }
    if ((INDEXER_ROLE ?? INDEXER_DATABASE_PASSWORD) !== undefined) {
      const connectionLimit = settings.INDEXER_CONNECTION_LIMIT;
      const ensure = async (name: string, password: string | null) => {
        await ensureIndexerRole(client, { name, password, connectionLimit });
        await grantQueues(DATABASE_URL, name);
      };
      const name = INDEXER_ROLE ?? 'roundhouse_indexer';
      roles.push(await ensureRole(DATABASE_URL, name, INDEXER_DATABASE_PASSWORD, ensure));
    }
  } finally {
    await client.end();
  }
  return roles;
};

/** Returns whether there are views now. */
const ensureViews = ({ DATABASE_URL, SQL_VIEWS }: MigrateSettings): Promise<boolean> =>
  onDatabase(DATABASE_URL, async (client) => {
    const isWanted = SQL_VIEWS === undefined ? await hasSqlViews(client) : SQL_VIEWS === 'on';
    if (isWanted) await createSqlViews(client);
    else if (SQL_VIEWS === 'off') await dropSqlViews(client);
    return isWanted;
  });

const ensureReaders = async (settings: MigrateSettings): Promise<void> => {
  const { DATABASE_URL, SQL_ROLE, SQL_DATABASE_PASSWORD: password = null } = settings;
  if (SQL_ROLE === undefined && password === null) return;
  const role = {
    name: SQL_ROLE ?? 'roundhouse_sql',
    password,
    connectionLimit: settings.SQL_CONNECTION_LIMIT,
    maxSeconds: settings.SQL_MAX_SECONDS,
  };
  try {
    const left = await onDatabase(DATABASE_URL, (client) => ensureSqlRole(client, role));
    print(`The role ${role.name} reads them.`);
    if (left.length > 0)
      print(
        `An administrator has to run, in this database (REVOKE CONNECT only where no other program needs it): ${left.join('; ')}`,
      );
  } catch (error) {
    if ((error as { code?: string }).code === 'ROLE')
      print(`An administrator can make the role:\n${sqlOfRole(role)}`);
    throw error;
  }
};

export const command = defineCommand({
  text: `Brings the schemas of the index and of the queues to the state that this version needs. Creates or updates the roles
of api and indexer if their passwords are given. You can run it again at any time, also while everything runs.`,
  examples: [
    ['DATABASE_URL=postgres://owner@localhost/roundhouse indexer migrate', 'as the owner of the database'],
  ],
  closing: `Needs DATABASE_URL, as the owner. Exit code: 0 if everything is up to date, 1 if not: run it again.`,
  options: {},
  run: async (_given, environment) => {
    const settings = await readCommandSettings(migrateSettings, environment);
    const { DATABASE_URL } = settings;
    await (await connectDatabase(DATABASE_URL)).end();
    const done = await migrate(DATABASE_URL);
    await migrateQueues(DATABASE_URL);
    print(done.length === 0 ? 'The schema is up to date.' : `Migrated: ${done.join(', ')}.`);
    const roles = await ensureRoles(settings);
    if (roles.length > 0) print(`The roles are up to date: ${roles.join(', ')}.`);
    if (await ensureViews(settings)) {
      print("The views of a node's tables are up to date.");
      // After the role of the indexer, which it lets call the watchdog.
      await ensureReaders(settings);
    }
    return 0;
  },
});
