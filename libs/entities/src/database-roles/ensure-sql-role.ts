import { escapeIdentifier, escapeLiteral, type ClientBase } from 'pg';
import { VIEW_NAMES } from '../views/node-views.js';
import {
  ensureLoginRole,
  setSessionDefaults,
  type LoginRole,
  type SessionDefaults,
} from './ensure-login-role.js';
import { currentDatabase, narrowPublic } from './privileges.js';

export interface SqlRole extends LoginRole {
  /** How long a statement or a transaction may take. */
  readonly maxSeconds: number;
}

/** Only a superuser may set it for others, and no session can set it for itself. */
const TEMP_FILES = '1GB';

const defaultsOf = ({ maxSeconds }: SqlRole): SessionDefaults => ({
  search_path: 'public',
  default_transaction_read_only: 'on',
  statement_timeout: `${maxSeconds}s`,
  idle_in_transaction_session_timeout: `${maxSeconds}s`,
  lock_timeout: '5s',
  // To compile a usual statement takes longer than it runs.
  jit: 'off',
});

const views = VIEW_NAMES.map((name) => `public.${name}`).join(', ');

/** The watchdog knows one role only: one that was named before loses the views. */
const CLOSE_VIEWS = `
DO $$
DECLARE
  other name;
BEGIN
  FOR other IN SELECT DISTINCT rolname FROM pg_class, aclexplode(relacl) JOIN pg_roles ON pg_roles.oid = grantee
    WHERE pg_class.oid = 'public.blocks'::regclass AND grantee <> relowner
  LOOP
    EXECUTE format('REVOKE ALL ON ${views} FROM %1$I; REVOKE ALL ON FUNCTION public.updated_at FROM %1$I', other);
  END LOOP;
END
$$;`;

/** A session may change its own statement_timeout, so each indexer calls this. */
const WATCHDOG = 'roundhouse.end_long_statements()';

const watchdogOf = ({ name, maxSeconds }: SqlRole): string => `
CREATE OR REPLACE FUNCTION ${WATCHDOG} RETURNS integer LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  -- Found first: the order in which conditions are tried is the planner's.
  WITH late AS MATERIALIZED (
    SELECT pid FROM pg_stat_activity WHERE usename = ${escapeLiteral(name)}
      AND (state <> 'idle' AND least(query_start, xact_start) < clock_timestamp() - interval '${maxSeconds} seconds'
        -- These could keep the writer and migrations away.
        OR datname = current_database() AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory'))
  ) SELECT (count(*) FILTER (WHERE pg_terminate_backend(pid)))::integer FROM late
$$;
COMMENT ON FUNCTION ${WATCHDOG} IS 'Ends the sessions of the reader role whose statement or transaction takes too long, in any database, or that have or want an advisory lock. Returns how many.';
REVOKE EXECUTE ON FUNCTION ${WATCHDOG} FROM PUBLIC;
DO $$
DECLARE
  writer name;
BEGIN
  FOR writer IN SELECT rolname FROM pg_roles
    JOIN (SELECT (aclexplode(relacl)).* FROM pg_class WHERE oid = 'roundhouse.blocks'::regclass) acl ON acl.grantee = pg_roles.oid
    WHERE privilege_type = 'TRUNCATE'
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION ${WATCHDOG} TO %I', writer);
  END LOOP;
END
$$;`;

/** What an administrator runs if the owner lacks CREATEROLE, before \`migrate\` is run again without a password. */
export const sqlOfRole = ({ name, connectionLimit }: SqlRole): string =>
  [
    `CREATE ROLE ${escapeIdentifier(name)} LOGIN CONNECTION LIMIT ${connectionLimit} PASSWORD '…';`,
    `ALTER ROLE ${escapeIdentifier(name)} SET temp_file_limit = '${TEMP_FILES}';`,
    `GRANT ${escapeIdentifier(name)} TO CURRENT_USER; -- to the owner of the tables, instead of CURRENT_USER`,
  ].join('\n');

/** What PUBLIC may do by default and fills the disk without a limit: statements for the owners of the database and of the functions. */
const OPEN = `
SELECT format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()) AS statement
WHERE has_database_privilege($1, current_database(), 'TEMPORARY')
UNION ALL SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', oid::regprocedure) FROM pg_proc
WHERE pronamespace = 'pg_catalog'::regnamespace AND has_function_privilege($1, oid, 'EXECUTE')
  AND proname IN ('lo_creat', 'lo_create', 'lo_from_bytea', 'pg_logical_emit_message')`;

/** Other databases, in which only its defaults and the watchdog bound the role. Programs may need this right of PUBLIC: an administrator decides. */
const OPEN_ELSEWHERE = `
SELECT format('REVOKE CONNECT ON DATABASE %I FROM PUBLIC', datname) AS statement FROM pg_database
WHERE datallowconn AND datname <> current_database() AND has_database_privilege('public', oid, 'CONNECT') ORDER BY datname`;

const statementsOf = async (client: ClientBase, sql: string, values: string[] = []): Promise<string[]> =>
  (await client.query<{ statement: string }>(sql, values)).rows.map(({ statement }) => statement);

const openTo = (client: ClientBase, { name }: SqlRole): Promise<string[]> =>
  statementsOf(client, OPEN, [name]);

/** Limits that need more rights than CREATEROLE gives: returns those that could not be set, as statements for an administrator. */
const tryEach = async (client: ClientBase, statements: readonly string[]): Promise<string[]> => {
  const refused: string[] = [];
  for (const statement of statements) {
    try {
      await client.query(statement);
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error;
      refused.push(statement);
    }
  }
  return refused;
};

/**
 * Creates or updates the role of programs that read the views: it reads them and nothing else of the index. The views are
 * there. Returns the statements that an administrator has to run besides. Throws `RoleError`.
 */
export const ensureSqlRole = async (client: ClientBase, role: SqlRole): Promise<string[]> => {
  await ensureLoginRole(client, role);
  const name = escapeIdentifier(role.name);
  const database = await currentDatabase(client);
  await narrowPublic(client, database);
  await client.query(`
    GRANT CONNECT ON DATABASE ${escapeIdentifier(database)} TO ${name};
    GRANT USAGE ON SCHEMA public TO ${name};
    ${CLOSE_VIEWS}
    GRANT SELECT ON ${views} TO ${name};
    REVOKE EXECUTE ON FUNCTION public.updated_at FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION public.updated_at TO ${name};
    ${watchdogOf(role)}`);
  // Those of the database win, also over those that an earlier version set.
  for (const place of role.password === null ? [] : [null, database])
    await setSessionDefaults(client, role.name, place, defaultsOf(role));
  const { rows } = await client.query<{ owner: string; owns: boolean }>(
    `SELECT current_user AS owner, pg_has_role(current_user, $1, 'USAGE') AS owns`,
    [role.name],
  );
  // Without the right to it, REVOKE only warns.
  for (const statement of await openTo(client, role)) await client.query(statement);
  const left = await tryEach(client, [
    `ALTER ROLE ${name} SET temp_file_limit = '${TEMP_FILES}'`,
    ...(rows[0]!.owns ? [] : [`GRANT ${name} TO ${escapeIdentifier(rows[0]!.owner)}`]),
  ]);
  return [...left, ...(await openTo(client, role)), ...(await statementsOf(client, OPEN_ELSEWHERE))];
};
