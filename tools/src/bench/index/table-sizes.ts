import pg from 'pg';

/** Bytes on disk, indexes included. */
export interface TableSizes {
  /** All tables. */
  readonly total: number;
  readonly perBlock: number;
  readonly perTransfer: number;
}

// A transfer's own row, its place in the page, and its share of the indexes.
const SELECT_SIZES = `
SELECT
  (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind = 'r')::float8 AS total,
  pg_total_relation_size('blocks')::float8 / (SELECT count(*) FROM blocks) AS "perBlock",
  (SELECT avg(pg_column_size(t) + 4) FROM transactions t WHERE type = 0 AND type_group = 1)::float8
    + pg_indexes_size('transactions')::float8 / (SELECT count(*) FROM transactions) AS "perTransfer"`;

/** The sizes of an index's tables or of a node's: both have `blocks` and `transactions`. */
export const tableSizes = async (databaseUrl: string): Promise<TableSizes> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<TableSizes>(SELECT_SIZES);
    return rows[0]!;
  } finally {
    await client.end();
  }
};
