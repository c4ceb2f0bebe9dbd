import type { ClientBase } from 'pg';

/** Where the tables are. What programs of others read is in `public`. */
export const INDEX_SCHEMA = 'roundhouse';

/** What the statements of this project rely on, whatever a database or a role has as its defaults. */
const PINNED: Readonly<Record<string, string>> = {
  search_path: INDEX_SCHEMA,
  standard_conforming_strings: 'on',
  // To compile a statement takes longer than ours run: they look dear, but limits end them early.
  jit: 'off',
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

const SELECT_SESSION = `SELECT getdatabaseencoding() AS encoding, current_setting('search_path') AS path,
  current_setting('standard_conforming_strings') AS strings`;

interface Session {
  readonly encoding: string;
  readonly path: string;
  readonly strings: string;
}

// The schema need not be there yet.
const PATH = new RegExp(`^"?${INDEX_SCHEMA}"?(,|$)`);

const WHERE = 'the options of the URL, or the defaults of the role, the database or the pooler';

/** Why a session cannot be used for an index, in one sentence; null if it can. */
export const sessionProblem = async (client: Pick<ClientBase, 'query'>): Promise<string | null> => {
  const { encoding, path, strings } = (await client.query<Session>(SELECT_SESSION)).rows[0]!;
  if (encoding !== 'UTF8')
    return `The database has the encoding ${encoding}, but names need UTF8: create one with ENCODING 'UTF8' TEMPLATE template0.`;
  if (!PATH.test(path)) return `The search_path is ${path}: set it to ${INDEX_SCHEMA} in ${WHERE}.`;
  if (strings !== 'on') return `standard_conforming_strings is ${strings}: set it to on in ${WHERE}.`;
  return null;
};
