import {
  accounts,
  certificatePages,
  certificates,
  chainColumns,
  delegates,
  DERIVED_TABLES,
  keyOf,
  type Table,
} from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { isSame, namesOf } from '@roundhouse/entities/sql';
import { listWrongCertificates } from '../certificate/wrong-certificates.js';

/** How many rows of a table differed from what the blocks determine. */
export interface ReplacedRows {
  readonly table: string;
  readonly deleted: number;
  readonly inserted: number;
}

/** Called with a table that is replaced next, how many were replaced before it, and how many there are. */
export type OnTable = (table: string, done: number, of: number) => void;

const rowOf = (table: Table, row: string): string =>
  `ROW(${chainColumns(table)
    .map(({ name }) => `${row}.${name}`)
    .join(', ')})`;

const deleteWrong = (table: Table): string => `
DELETE FROM roundhouse.${table.name} AS found WHERE NOT EXISTS (
  SELECT FROM pg_temp.${table.name} AS expected
  WHERE ${isSame(keyOf(table), 'expected', 'found')}
    AND ${rowOf(table, 'expected')} IS NOT DISTINCT FROM ${rowOf(table, 'found')})`;

const insertMissing = (table: Table): string => `
INSERT INTO roundhouse.${table.name} (${namesOf(chainColumns(table))})
SELECT ${namesOf(chainColumns(table))} FROM pg_temp.${table.name} AS expected WHERE NOT EXISTS (
  SELECT FROM roundhouse.${table.name} AS found WHERE ${isSame(keyOf(table), 'expected', 'found')})`;

/**
 * Makes the derived tables equal to the temporary ones of the same names; writes only rows that differ. Call it within
 * one transaction. Returns the tables that changed.
 */
export const replaceRows = async (client: ClientBase, onTable: OnTable): Promise<ReplacedRows[]> => {
  const replaced: ReplacedRows[] = [];
  for (const [place, table] of DERIVED_TABLES.entries()) {
    onTable(table.name, place, DERIVED_TABLES.length);
    const deleted = (await client.query(deleteWrong(table))).rowCount ?? 0;
    const inserted = (await client.query(insertMissing(table))).rowCount ?? 0;
    if (deleted + inserted > 0) replaced.push({ table: table.name, deleted, inserted });
  }
  return replaced;
};

/** Leaves that can no longer be listed may have been made from rows of these that differed. */
const CERTIFIED: readonly string[] = [accounts.name, delegates.name];

/** Removes certificates that are wrong, or may be. Returns the tables that changed. */
export const removeCertificates = async (
  client: ClientBase,
  replaced: readonly ReplacedRows[],
): Promise<ReplacedRows[]> => {
  const areDoubtful = replaced.some(({ table }) => CERTIFIED.includes(table));
  const heights = areDoubtful ? null : (await listWrongCertificates(client)).map(({ height }) => height);
  const removed: ReplacedRows[] = [];
  for (const { name: table } of [certificates, certificatePages]) {
    const text = `DELETE FROM roundhouse.${table} WHERE $1::integer[] IS NULL OR height = ANY ($1)`;
    const deleted = (await client.query(text, [heights])).rowCount ?? 0;
    if (deleted > 0) removed.push({ table, deleted, inserted: 0 });
  }
  return removed;
};
