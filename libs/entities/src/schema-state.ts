import { migrations, OBSOLETE_MIGRATIONS } from './migrations/index.js';
import { OBSOLETE_INDEX } from './obsolete-index.error.js';

export type SchemaState =
  | { readonly kind: 'known' }
  /** The database lacks migrations that this program needs: migrate it. */
  | { readonly kind: 'older'; readonly missing: readonly string[] }
  /** The database has an index from which there is no migration; `problem` says what to do. */
  | { readonly kind: 'obsolete'; readonly problem: string }
  /** The database has migrations that this program does not know: a newer version migrated it. */
  | { readonly kind: 'newer'; readonly unknown: readonly string[] };

/** The part of a connection that is used; a pool also works. */
interface Queryable {
  query(statement: { readonly name: string; readonly text: string }): Promise<{ rows: unknown[] }>;
}

const SELECT_NAMES = { name: 'migrations', text: 'SELECT name FROM migrations ORDER BY id' };

const UNDEFINED_TABLE = '42P01';

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
  try {
    const { rows } = await database.query(SELECT_NAMES);
    return (rows as { name: string }[]).map(({ name }) => name);
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
};

/** The state of a database. */
export const schemaState = async (database: Queryable): Promise<SchemaState> =>
  schemaStateOf(await readMigrationNames(database));
