import type { Column, Table } from '@roundhouse/entities/tables';

// Parts of statements, made from the descriptions of the tables. Use them in constants, so that no SQL is built per batch.

export const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(', ');

/** Each column under the name of its property, for `queryRows`. */
export const selectFrom = ({ name, columns }: Table): string =>
  `SELECT ${columns.map((column) => `${column.name} AS "${column.property}"`).join(', ')} FROM ${name}`;

export const assignments = (columns: readonly Column[], source: string): string =>
  columns.map(({ name }) => `${name} = ${source}.${name}`).join(', ');

export const isSame = (columns: readonly Column[], one: string, other: string): string =>
  columns.map(({ name }) => `${one}.${name} = ${other}.${name}`).join(' AND ');

/** Arrays from $1 on, one per column, as rows called `changed`; `arraysOf` makes them. */
export const unnest = (columns: readonly Column[]): string =>
  `unnest(${columns.map(({ type }, place) => `$${place + 1}::${type}[]`).join(', ')}) AS changed (${namesOf(columns)})`;

export const arraysOf = <Row extends object>(rows: readonly Row[], columns: readonly Column[]): unknown[][] =>
  columns.map(({ property }) => rows.map((row) => row[property as keyof Row]));
