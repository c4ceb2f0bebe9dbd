import type { ClientBase } from 'pg';

/** What the statements of this project rely on, whatever a database or a role has as its defaults. */
const PINNED: Readonly<Record<string, string>> = {
  search_path: 'public',
  standard_conforming_strings: 'on',
};

/** The option `options` of a connection: our settings, and more, such as `lock_timeout=5000`. */
export const sessionOptions = (...more: readonly string[]): string =>
  [...Object.entries(PINNED).map(([name, value]) => `${name}=${value}`), ...more]
    .map((setting) => `-c ${setting}`)
    .join(' ');

/** The same for the sessions of a pooler, which take no options: SQL for the beginning of a transaction. */
export const SET_SESSION = Object.entries(PINNED)
  .map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  .join('; ');

/** The same as a role's defaults. */
export const SESSION_DEFAULTS = PINNED;

const SELECT_SESSION = `SELECT getdatabaseencoding() AS encoding, current_schema() AS schema,
  current_setting('standard_conforming_strings') AS strings`;

interface Session {
  readonly encoding: string;
  readonly schema: string | null;
  readonly strings: string;
}

const WHERE = 'the options of the URL, or the defaults of the role, the database or the pooler';

/** Why a session cannot be used for an index, in one sentence; null if it can. */
export const sessionProblem = async (client: Pick<ClientBase, 'query'>): Promise<string | null> => {
  const { encoding, schema, strings } = (await client.query<Session>(SELECT_SESSION)).rows[0]!;
  if (encoding !== 'UTF8')
    return `The database has the encoding ${encoding}, but names need UTF8: create one with ENCODING 'UTF8' TEMPLATE template0.`;
  if (schema !== 'public') {
    const tables =
      schema === null
        ? 'Tables of the schema public are not found'
        : `Tables of the schema "${schema}" come before those of "public"`;
    return `${tables}: set search_path to public in ${WHERE}.`;
  }
  if (strings !== 'on') return `standard_conforming_strings is ${strings}: set it to on in ${WHERE}.`;
  return null;
};
