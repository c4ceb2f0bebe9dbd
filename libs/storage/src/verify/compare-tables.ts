import { chainColumns, keyOf, type Table } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { namesOf, valuesOf } from '../table-sql.js';

/** A row's columns as text; null if a value is absent. */
export type RowText = Readonly<Record<string, string | null>>;

/** A row that differs from what the blocks determine; null if there is no such row. */
export interface RowDifference {
  readonly key: string;
  readonly expected: RowText | null;
  readonly found: RowText | null;
}

export interface TableDifferences {
  readonly table: string;
  /** How many rows differ; `rows` may list fewer. */
  readonly total: number;
  readonly rows: readonly RowDifference[];
}

/** As text: JSON.parse would round long numbers. */
const textsOf = (row: string): string =>
  `(SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(to_jsonb(${row}))) AS ${row}`;

const compareQuery = (table: Table): string => {
  const [columns, key] = [valuesOf(chainColumns(table)), namesOf(keyOf(table))];
  return `
SELECT count(*) OVER ()::integer AS total, ${textsOf('expected')}, ${textsOf('found')}
FROM (SELECT ${columns} FROM pg_temp.${table.name}) AS expected
  FULL JOIN (SELECT ${columns} FROM public.${table.name}) AS found USING (${key})
WHERE expected IS DISTINCT FROM found
ORDER BY ${key}
LIMIT $1`;
};

interface DifferenceRow {
  readonly total: number;
  readonly expected: RowText | null;
  readonly found: RowText | null;
}

const compareTable = async (client: ClientBase, table: Table, listed: number): Promise<TableDifferences> => {
  const { rows } = await client.query<DifferenceRow>(compareQuery(table), [listed]);
  return {
    table: table.name,
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ expected, found }) => {
      const row = (expected ?? found)!;
      const key = keyOf(table).map(({ name }) => row[name]);
      return { key: key.join(' '), expected, found };
    }),
  };
};

/**
 * Compares tables row by row with the temporary ones of the same names; lists at most `listed` (at least 1) rows of
 * each.
 */
export const compareTables = async (
  client: ClientBase,
  tables: readonly Table[],
  listed: number,
): Promise<TableDifferences[]> => {
  const differences: TableDifferences[] = [];
  for (const table of tables) {
    const found = await compareTable(client, table, listed);
    if (found.total > 0) differences.push(found);
  }
  return differences;
};
