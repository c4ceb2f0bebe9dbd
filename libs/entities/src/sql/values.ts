import pg from 'pg';
import { hexOfForm, type Column, type Form } from '../tables/index.js';

// Values as they travel between rows and PostgreSQL.

/** Converts text as rows hold it to PostgreSQL's text form of its bytes. */
export const byteaText = (form: Form, value: string): string => `\\x${hexOfForm(form, value)}`;

const arrayOf = <Row extends object>(rows: readonly Row[], { property, form }: Column): unknown[] => {
  const values = rows.map((row) => row[property as keyof Row]);
  if (form === undefined) return values;
  return (values as (string | null)[]).map((value) => (value === null ? null : byteaText(form, value)));
};

export const arraysOf = <Row extends object>(rows: readonly Row[], columns: readonly Column[]): unknown[][] =>
  columns.map((column) => arrayOf(rows, column));

/** Reads PostgreSQL's bigint, and whole numerics such as sums, as bigint: a number could lose digits. */
export const EXACT_TYPES = new pg.TypeOverrides();
EXACT_TYPES.setTypeParser(pg.types.builtins.INT8, BigInt);
EXACT_TYPES.setTypeParser(pg.types.builtins.NUMERIC, BigInt);
/** The type of a list of bigint: `{1,2}`. */
const INT8_ARRAY = 1016;
EXACT_TYPES.setTypeParser(INT8_ARRAY, (list: string) => (list.match(/-?\d+/g) ?? []).map(BigInt));

/** The rows of a statement, with amounts as bigint. */
export const queryRows = async <Row extends pg.QueryResultRow>(
  db: pg.Pool | pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => (await db.query<Row>({ text, values: values as unknown[], types: EXACT_TYPES })).rows;
