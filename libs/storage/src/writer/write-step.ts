import type { ClientBase } from 'pg';
import { copyIn } from './copy-in.js';
import { copyChunks } from './copy-text.js';

/** One statement of a batch; its values are taken from the ledger already. */
export interface WriteStep {
  run(): Promise<unknown>;
  readonly sizeBytes: number;
}

/** A table's columns in the order of the values in the lines, which are in COPY's text form. */
export interface TableLines {
  readonly table: string;
  readonly columns: readonly string[];
  readonly lines: Iterable<string>;
}

/** One step for all tables that there are lines for. */
export const copyStep = (client: ClientBase, ...tables: readonly TableLines[]): WriteStep[] => {
  const rows = tables
    .map(({ table, columns, lines }) => ({
      table,
      columns,
      format: 'text' as const,
      chunks: copyChunks(lines),
    }))
    .filter(({ chunks }) => chunks.length > 0);
  if (rows.length === 0) return [];
  const sizeBytes = rows.flatMap(({ chunks }) => chunks).reduce((sum, chunk) => sum + chunk.length, 0);
  return [{ run: () => copyIn(client, rows), sizeBytes }];
};

/** What a value takes in memory while it waits, roughly. */
const VALUE_BYTES = 40;

export const queryStep = (client: ClientBase, sql: string, values: readonly unknown[][]): WriteStep => ({
  run: () => client.query(sql, values as unknown[][]),
  sizeBytes: VALUE_BYTES * values.length * values[0]!.length,
});
