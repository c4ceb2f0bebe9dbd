import pg from 'pg';

const BIGINT: number = pg.types.builtins.INT8;

/** Reads PostgreSQL's bigint as bigint: a number could lose digits. */
export const EXACT_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format) =>
    type === BIGINT ? BigInt : (pg.types.getTypeParser(type, format) as never),
};

/** The rows of a statement, with amounts as bigint. */
export const queryRows = async <Row extends pg.QueryResultRow>(
  db: pg.Pool | pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => (await db.query<Row>({ text, values: values as unknown[], types: EXACT_TYPES })).rows;
