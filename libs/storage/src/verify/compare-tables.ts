import { addresses, chainColumns, keyOf, publicKeys, type Table } from '@roundhouse/entities/tables';
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

/** A table, and SQL of the rows that it should have, as they are stored. */
interface Comparison {
  readonly table: Table;
  readonly expected: string;
}

/** `mentions`: a query of numbers and the places in the chain where they are mentioned. */
const numbered = (table: Table, mentions: string): Comparison => ({
  table,
  expected: `(
SELECT row_number() OVER (ORDER BY first)::integer AS number, (first >> 32)::integer AS height, stored.value
FROM (SELECT number, min(place) AS first FROM (${mentions}) AS mentions GROUP BY number) AS mentioned
  LEFT JOIN public.${table.name} AS stored USING (number)) AS numbered`,
});

/** The numbers that the writer gives if it applies the stored blocks. */
const NUMBERED: readonly Comparison[] = [
  numbered(
    publicKeys,
    `SELECT generator AS number, height::bigint << 32 AS place FROM public.blocks
     UNION ALL SELECT sender, (block_height::bigint << 32) + sequence + 1 FROM public.transactions`,
  ),
  numbered(
    addresses,
    `SELECT recipient AS number, (block_height::bigint << 32) + sequence AS place FROM public.transactions
     WHERE recipient IS NOT NULL`,
  ),
];

const compareQuery = ({ table, expected }: Comparison): string => {
  const [columns, key] = [valuesOf(chainColumns(table)), namesOf(keyOf(table))];
  return `
SELECT count(*) OVER ()::integer AS total, ${textsOf('expected')}, ${textsOf('found')}
FROM (SELECT ${columns} FROM ${expected}) AS expected
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

const compareTable = async (
  client: ClientBase,
  comparison: Comparison,
  listed: number,
): Promise<TableDifferences> => {
  const { table } = comparison;
  const { rows } = await client.query<DifferenceRow>(compareQuery(comparison), [listed]);
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
 * Compares tables row by row with the temporary ones of the same names, and the numbers of keys and addresses with those
 * that follow from the blocks; lists at most `listed` (at least 1) rows of each.
 */
export const compareTables = async (
  client: ClientBase,
  tables: readonly Table[],
  listed: number,
): Promise<TableDifferences[]> => {
  const differences: TableDifferences[] = [];
  const comparisons = tables.map((table) => ({ table, expected: `pg_temp.${table.name}` }));
  for (const comparison of [...NUMBERED, ...comparisons]) {
    const found = await compareTable(client, comparison, listed);
    if (found.total > 0) differences.push(found);
  }
  return differences;
};
