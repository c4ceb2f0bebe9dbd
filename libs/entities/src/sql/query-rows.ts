import pg from 'pg';

/** Reads PostgreSQL's bigint as bigint: a number could lose digits. */
export const EXACT_TYPES = new pg.TypeOverrides();
EXACT_TYPES.setTypeParser(pg.types.builtins.INT8, BigInt);
/** The type of a list of bigint: `{1,2}`. */
const INT8_ARRAY = 1016;
EXACT_TYPES.setTypeParser(INT8_ARRAY, (list: string) => (list.match(/-?\d+/g) ?? []).map(BigInt));

/** The rows of a statement, with amounts as bigint. */
export const queryRows = async <Row extends pg.QueryResultRow>(
  db: pg.Pool | pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => (await db.query<Row>({ text, values: values as unknown[], types: EXACT_TYPES })).rows;
