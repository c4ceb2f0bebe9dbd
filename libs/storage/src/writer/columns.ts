/** Rows turned into the arrays that `unnest` takes, one a column. */
export const columns = <Row>(rows: readonly Row[], ...of: ((row: Row) => unknown)[]): unknown[][] =>
  of.map((value) => rows.map(value));
