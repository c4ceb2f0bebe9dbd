import type { ClientBase } from 'pg';
import type { DerivedTable } from './derived-tables.js';

/** A row's columns as text; null where the value is absent. */
export type RowText = Readonly<Record<string, string | null>>;

/** A row that is not as the blocks make it; null stands for a row that is not there. */
export interface RowDifference {
  readonly key: string;
  readonly expected: RowText | null;
  readonly found: RowText | null;
}

export interface TableDifferences {
  readonly table: string;
  /** How many rows differ; the list ends where it is long enough. */
  readonly total: number;
  readonly rows: readonly RowDifference[];
}

/** `to_jsonb` keeps every digit, and the texts of it go past JSON.parse's numbers. */
const textsOf = (row: string): string =>
  `(SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(to_jsonb(${row}))) AS ${row}`;

const compareQuery = ({ table, key, columns }: DerivedTable): string => `
SELECT count(*) OVER ()::integer AS total, ${textsOf('expected')}, ${textsOf('found')}
FROM (SELECT ${columns.join(', ')} FROM pg_temp.${table}) AS expected
  FULL JOIN (SELECT ${columns.join(', ')} FROM public.${table}) AS found USING (${key.join(', ')})
WHERE expected IS DISTINCT FROM found
ORDER BY ${key.join(', ')}
LIMIT $1`;

interface DifferenceRow {
  readonly total: number;
  readonly expected: RowText | null;
  readonly found: RowText | null;
}

const compareTable = async (
  client: ClientBase,
  derived: DerivedTable,
  listed: number,
): Promise<TableDifferences> => {
  const { rows } = await client.query<DifferenceRow>(compareQuery(derived), [listed]);
  return {
    table: derived.table,
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ expected, found }) => {
      const row = (expected ?? found)!;
      return { key: derived.key.map((column) => row[column]).join(' '), expected, found };
    }),
  };
};

/** Tables against the temporary ones, row by row; at most `listed` (at least 1) rows a table. */
export const compareTables = async (
  client: ClientBase,
  tables: readonly DerivedTable[],
  listed: number,
): Promise<TableDifferences[]> => {
  const differences: TableDifferences[] = [];
  for (const derived of tables) {
    const found = await compareTable(client, derived, listed);
    if (found.total > 0) differences.push(found);
  }
  return differences;
};
