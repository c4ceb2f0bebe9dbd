import { DuckDBInstance } from '@duckdb/node-api';

type Value = string | number | boolean | null;

/** The rows of a statement of DuckDB, as it writes them as JSON: 64-bit integers are text. */
export const queryParquet = async (sql: string): Promise<Value[][]> => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowsJson() as Value[][];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};
