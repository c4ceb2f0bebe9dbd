import { migrations, OBSOLETE_MIGRATIONS } from './migrations/index.js';
import { INDEX_SCHEMA } from './session.js';
import { TABLES } from './tables/index.js';

const OBSOLETE_INDEX =
  'The database holds an index of an older version, whose tables this version cannot read: index again, into an empty database.';

/** What to do if migrations are missing. */
export const NOT_MIGRATED =
  'Tables that this version needs are missing in the database: run "indexer migrate" first.';

export type SchemaState =
  | { readonly kind: 'known' }
  /** The database lacks migrations that this program needs: migrate it. */
  | { readonly kind: 'older'; readonly missing: readonly string[] }
  /** The database has an index from which there is no migration; `problem` says what to do. */
  | { readonly kind: 'obsolete'; readonly problem: string }
  /** The database has tables of another program, such as a node; `problem` says what to do. */
  | { readonly kind: 'foreign'; readonly problem: string }
  /** The database has migrations that this program does not know: a newer version migrated it. */
  | { readonly kind: 'newer'; readonly unknown: readonly string[] };

/** The part of a connection that is used; a pool also works. */
interface Queryable {
  query(statement: { readonly name: string; readonly text: string; values?: unknown[] }): Promise<{
    rows: unknown[];
  }>;
}

const SELECT_NAMES = [
  { name: 'migrations', text: `SELECT name FROM ${INDEX_SCHEMA}.migrations ORDER BY id` },
  // Where they were before the tables had a schema of their own.
  { name: 'migrations in public', text: 'SELECT name FROM public.migrations ORDER BY id' },
];

/** $1: names of tables. */
const SELECT_TABLES = {
  name: 'tables',
  text: `SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1::text[])`,
};

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';

const FOREIGN: SchemaState = {
  kind: 'foreign',
  problem: 'The database belongs to another program: name an empty one in DATABASE_URL.',
};

/** Compares the names of migrations that ran, in a database or in the one that a snapshot is of, with those that this program knows. */
export const schemaStateOf = (done: readonly string[]): SchemaState => {
  if (OBSOLETE_MIGRATIONS.some((name) => done.includes(name)))
    return { kind: 'obsolete', problem: OBSOLETE_INDEX };
  const known = migrations.map(({ name }) => name);
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length > 0) return { kind: 'newer', unknown };
  const missing = known.filter((name) => !done.includes(name));
  return missing.length > 0 ? { kind: 'older', missing } : { kind: 'known' };
};

/** The migrations that ran in the database, in order; none if it is empty. */
export const readMigrationNames = async (database: Queryable): Promise<string[]> => {
  for (const statement of SELECT_NAMES) {
    try {
      const { rows } = await database.query(statement);
      return (rows as { name: string }[]).map(({ name }) => name);
    } catch (error) {
      if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error;
    }
  }
  return [];
};

const hasTablesOfThisName = async (database: Queryable): Promise<boolean> => {
  const values = [TABLES.map(({ name }) => name)];
  return (await database.query({ ...SELECT_TABLES, values })).rows.length > 0;
};

/** The state of a database. */
export const schemaState = async (database: Queryable): Promise<SchemaState> => {
  try {
    const done = await readMigrationNames(database);
    const state = schemaStateOf(done);
    const isForeign =
      done.length === 0
        ? await hasTablesOfThisName(database)
        : state.kind === 'newer' && state.unknown.length === done.length;
    return isForeign ? FOREIGN : state;
  } catch (error) {
    // Another program's table of migrations.
    if ((error as { code?: string }).code === UNDEFINED_COLUMN) return FOREIGN;
    throw error;
  }
};
