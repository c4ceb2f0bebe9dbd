import type { ClientBase } from 'pg';
import { copyIn } from './copy-in.js';
import { copyChunks } from './copy-text.js';

/** One statement of a batch; its values are taken from the ledger already. */
export interface WriteStep {
  run(): Promise<unknown>;
  readonly sizeBytes: number;
}

export const copyStep = (
  client: ClientBase,
  table: string,
  tableColumns: readonly string[],
  lines: Iterable<string>,
): WriteStep[] => {
  const chunks = copyChunks(lines);
  if (chunks.length === 0) return [];
  const sizeBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const rows = { table, columns: tableColumns, format: 'text', chunks } as const;
  return [{ run: () => copyIn(client, [rows]), sizeBytes }];
};

/** What a value takes in memory while it waits, roughly. */
const VALUE_BYTES = 40;

export const queryStep = (client: ClientBase, sql: string, values: readonly unknown[][]): WriteStep => ({
  run: () => client.query(sql, values as unknown[][]),
  sizeBytes: VALUE_BYTES * values.length * values[0]!.length,
});
