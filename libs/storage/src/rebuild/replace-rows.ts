import type { ClientBase } from 'pg';
import { DERIVED_TABLES, type DerivedTable } from '../verify/derived-tables.js';

/** How many rows of a table were not as the blocks make them. */
export interface ReplacedRows {
  readonly table: string;
  readonly deleted: number;
  readonly inserted: number;
}

const rowOf = (row: string, columns: readonly string[]): string =>
  `ROW(${columns.map((column) => `${row}.${column}`).join(', ')})`;

const sameKey = ({ key }: DerivedTable): string =>
  key.map((column) => `expected.${column} = found.${column}`).join(' AND ');

const deleteWrong = (derived: DerivedTable): string => `
DELETE FROM public.${derived.table} AS found WHERE NOT EXISTS (
  SELECT FROM pg_temp.${derived.table} AS expected
  WHERE ${sameKey(derived)} AND ${rowOf('expected', derived.columns)} IS NOT DISTINCT FROM ${rowOf('found', derived.columns)})`;

const insertMissing = (derived: DerivedTable): string => `
INSERT INTO public.${derived.table} (${derived.columns.join(', ')})
SELECT ${derived.columns.join(', ')} FROM pg_temp.${derived.table} AS expected WHERE NOT EXISTS (
  SELECT FROM public.${derived.table} AS found WHERE ${sameKey(derived)})`;

/**
 * Makes the derived tables equal to the temporary ones of the same names; only rows that differ are written. To be run
 * in one transaction. Gives the tables in which something did.
 */
export const replaceRows = async (
  client: ClientBase,
  onTable: (table: string) => void,
): Promise<ReplacedRows[]> => {
  const replaced: ReplacedRows[] = [];
  for (const derived of DERIVED_TABLES) {
    onTable(derived.table);
    const deleted = (await client.query(deleteWrong(derived))).rowCount ?? 0;
    const inserted = (await client.query(insertMissing(derived))).rowCount ?? 0;
    if (deleted + inserted > 0) replaced.push({ table: derived.table, deleted, inserted });
  }
  return replaced;
};
