import { buildMissingIndexes, migrate } from '@roundhouse/entities';
import { startLocalPostgres, withClient } from '@roundhouse/local-postgres';
import type pg from 'pg';
import { inWorkspace, type GeneratedFile } from './generated-files.js';

interface TableRow {
  readonly name: string;
  readonly persistence: 'p' | 'u';
  readonly options: readonly string[] | null;
  readonly comment: string | null;
  readonly columns: readonly ColumnRow[];
  /** Primary key and checks. */
  readonly constraints: readonly string[];
  /** Without the indexes that a constraint created. */
  readonly indexes: readonly string[];
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  readonly byDefault: string | null;
  readonly isRequired: boolean;
  /** Null if it is the default of the type. */
  readonly storage: string | null;
  readonly comment: string | null;
}

// From the catalog: pg_dump is not installed everywhere.
const SELECT_TABLES = `
SELECT CASE n.nspname WHEN 'roundhouse' THEN t.relname ELSE n.nspname || '.' || t.relname END AS name, t.relpersistence AS persistence, t.reloptions AS options, obj_description(t.oid) AS comment,
  (SELECT json_agg(json_build_object(
      'name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod),
      'collation', CASE WHEN a.attcollation <> y.typcollation THEN quote_ident(l.collname) END,
      'byDefault', pg_get_expr(d.adbin, d.adrelid), 'isRequired', a.attnotnull,
      'storage', CASE WHEN a.attstorage <> y.typstorage
        THEN CASE a.attstorage WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' WHEN 'p' THEN 'PLAIN' ELSE 'EXTENDED' END END,
      'comment', col_description(t.oid, a.attnum)) ORDER BY a.attnum)
    FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid
      LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
      LEFT JOIN pg_collation l ON l.oid = a.attcollation
    WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  ARRAY(SELECT format('CONSTRAINT %I %s', conname, pg_get_constraintdef(c.oid, true))
      || CASE WHEN contype <> 'x' AND i.reloptions IS NOT NULL THEN ' WITH (' || array_to_string(i.reloptions, ', ') || ')' ELSE '' END
    FROM pg_constraint c LEFT JOIN pg_class i ON i.oid = conindid
    WHERE conrelid = t.oid AND contype IN ('p', 'u', 'x', 'c') ORDER BY contype = 'x', contype DESC, conname) AS constraints,
  ARRAY(SELECT pg_get_indexdef(i.indexrelid, 0, true) FROM pg_index i
    WHERE i.indrelid = t.oid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
    ORDER BY i.indexrelid::regclass::text) AS indexes
FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
WHERE n.nspname IN ('roundhouse', 'checkpoint') AND t.relkind = 'r' AND t.relname NOT IN ('migrations', 'typeorm_metadata')
ORDER BY n.nspname = 'roundhouse' DESC, t.relname`;

/** As dumps have them, and what they are for. */
const SELECT_FUNCTIONS = `
SELECT replace(pg_get_functiondef(p.oid), 'CREATE OR REPLACE', 'CREATE') AS definition, p.oid::regprocedure::text AS name,
  obj_description(p.oid) AS comment
FROM pg_proc p WHERE p.pronamespace = 'roundhouse'::regnamespace ORDER BY p.proname`;

interface FunctionRow {
  readonly definition: string;
  readonly name: string;
  readonly comment: string;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const columnLine = ({ name, type, collation, byDefault, isRequired }: ColumnRow): string =>
  [
    name,
    type,
    ...(collation === null ? [] : [`COLLATE ${collation}`]),
    ...(byDefault === null ? [] : [`DEFAULT ${byDefault}`]),
    ...(isRequired ? ['NOT NULL'] : []),
  ].join(' ');

const tableSql = ({ name, persistence, options, comment, columns, ...rest }: TableRow): string => {
  const lines = [...columns.map(columnLine), ...rest.constraints].map((line) => `  ${line}`);
  const withOptions = options === null ? '' : ` WITH (${options.join(', ')})`;
  return [
    `CREATE${persistence === 'u' ? ' UNLOGGED' : ''} TABLE ${name} (\n${lines.join(',\n')}\n)${withOptions};`,
    ...columns
      .filter(({ storage }) => storage !== null)
      .map((column) => `ALTER TABLE ${name} ALTER COLUMN ${column.name} SET STORAGE ${column.storage};`),
    ...rest.indexes.map(
      (index) => `${index.replace(' ON roundhouse.', ' ON ').replace(' USING btree', '')};`,
    ),
    ...(comment === null ? [] : [`COMMENT ON TABLE ${name} IS ${literal(comment)};`]),
    ...columns.flatMap((column) =>
      column.comment === null
        ? []
        : [`COMMENT ON COLUMN ${name}.${column.name} IS ${literal(column.comment)};`],
    ),
  ].join('\n');
};

const functionSql = ({ definition, name, comment }: FunctionRow): string =>
  `${definition.trim()};\nCOMMENT ON FUNCTION ${name} IS ${literal(comment)};`;

/** The tables of a migrated database as SQL, for readers. */
export const schemaSql = async (client: pg.ClientBase): Promise<string> => {
  const { rows } = await client.query<TableRow>(SELECT_TABLES);
  const header =
    '-- The tables after all migrations and after a first sync. Made by `npm run generate` from a migrated database.';
  const functions = await client.query<FunctionRow>(SELECT_FUNCTIONS);
  return `${[header, ...rows.map(tableSql), ...functions.rows.map(functionSql)].join('\n\n')}\n`;
};

/** Migrates a database of its own, on a server that it starts and removes. */
export const schemaFile = async (): Promise<GeneratedFile> => {
  const postgres = await startLocalPostgres();
  try {
    await migrate(postgres.url);
    await withClient(postgres.url, buildMissingIndexes);
    return { path: inWorkspace('docs/schema.sql'), text: await withClient(postgres.url, schemaSql) };
  } finally {
    await postgres.remove();
  }
};
