import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { escapeIdentifier, escapeLiteral, type ClientBase } from 'pg';

export type SessionDefaults = Readonly<Record<string, string>>;

/** Sets the defaults of a role's sessions in this database, or in all if it is null; skips parameters that the server does not have. */
export const setSessionDefaults = async (
  client: ClientBase,
  role: string,
  database: string | null,
  defaults: SessionDefaults,
): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM pg_settings WHERE name = ANY ($1::text[])',
    [Object.keys(defaults)],
  );
  const where = database === null ? '' : `IN DATABASE ${escapeIdentifier(database)}`;
  for (const { name } of rows) {
    await client.query(
      `ALTER ROLE ${escapeIdentifier(role)} ${where}
       SET ${name} = ${escapeLiteral(defaults[name]!)}`,
    );
  }
};

/** PostgreSQL's own default. */
const ITERATIONS = 4_096;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * What PostgreSQL stores for a password (RFC 5803). It is computed here, so that no statement, and thus no server log,
 * holds the password itself. `password` must be printable ASCII, which SASLprep does not change.
 */
export const scramVerifier = (password: string, salt = randomBytes(16)): string => {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64');
  const serverKey = hmac(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
};

/** A login role cannot be created or is unsuitable; the message says what the operator has to do. */
export class RoleError extends Error {
  readonly code = 'ROLE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RoleError';
  }
}

export interface LoginRole {
  readonly name: string;
  /** Null if an administrator manages the role: it only gets its grants, and nothing else about it changes. */
  readonly password: string | null;
  /** Maximum number of concurrent sessions of the role, over all processes. */
  readonly connectionLimit: number;
}

/** Groups whose members can read or write regardless of grants; a server may lack the newer ones. */
const POWERFUL_GROUPS = [
  'pg_read_all_data',
  'pg_write_all_data',
  'pg_maintain',
  'pg_read_server_files',
  'pg_write_server_files',
  'pg_execute_server_program',
];

const SELECT_ROLE = `
SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
         OR pg_has_role(oid, current_user, 'MEMBER')
         OR EXISTS (SELECT FROM pg_roles AS g WHERE g.rolname = ANY ($2::text[]) AND pg_has_role(r.oid, g.oid, 'MEMBER'))
         AS "isPowerful"
FROM pg_roles AS r WHERE rolname = $1`;

interface RoleRow {
  readonly isPowerful: boolean;
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** A migration of another database on the same server created the role first. */
const ALREADY_THERE: readonly unknown[] = ['42710', '23505'];

const findRole = async (client: ClientBase, name: string): Promise<RoleRow | undefined> =>
  (await client.query<RoleRow>(SELECT_ROLE, [name, POWERFUL_GROUPS])).rows[0];

const create = async (client: ClientBase, name: string): Promise<void> => {
  try {
    await client.query(`CREATE ROLE ${escapeIdentifier(name)} LOGIN`);
  } catch (error) {
    if (!ALREADY_THERE.includes((error as { code?: unknown }).code)) throw error;
  }
};

const setAttributes = async (
  client: ClientBase,
  name: string,
  password: string,
  connectionLimit: number,
): Promise<void> => {
  if (!/^[\x20-\x7e]+$/.test(password)) {
    throw new RoleError('A password of a database role must consist of printable ASCII characters.');
  }
  await client.query(
    `ALTER ROLE ${escapeIdentifier(name)} LOGIN CONNECTION LIMIT ${connectionLimit}
     PASSWORD ${escapeLiteral(scramVerifier(password))}`,
  );
};

/** A role with powerful attributes or memberships can do more than its grants allow. */
const assertPlain = async (client: ClientBase, name: string): Promise<void> => {
  const role = await findRole(client, name);
  if (role?.isPowerful === false) return;
  throw new RoleError(
    `The role "${name}" has more rights than it should (an attribute such as SUPERUSER, membership in a group such as pg_write_all_data, or those of the migrating role): revoke them or choose another name.`,
  );
};

/** Creates the role if it is missing, and sets its password and limit. Throws `RoleError`. */
export const ensureLoginRole = async (client: ClientBase, role: LoginRole): Promise<void> => {
  const { name, password, connectionLimit } = role;
  const isThere = (await findRole(client, name)) !== undefined;
  if (!isThere && password === null) {
    throw new RoleError(
      `There is no role "${name}": set its password for "indexer migrate", which then creates it.`,
    );
  }
  try {
    if (!isThere) await create(client, name);
    await assertPlain(client, name);
    if (password !== null) await setAttributes(client, name, password, connectionLimit);
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new RoleError(
      `The role "${name}" cannot be created or changed (${(error as Error).message}): migrate as a role that has CREATEROLE, or let an administrator create this role and leave its password unset for "indexer migrate".`,
      { cause: error },
    );
  }
};
