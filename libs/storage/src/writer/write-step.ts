import type { ClientBase } from 'pg';
import { copyIn, type CopyRows } from './copy-in.js';

/** One statement of a batch. It holds its own values, so the ledger may continue. */
export interface WriteStep {
  run(): Promise<unknown>;
  readonly sizeBytes: number;
}

/** One step for all tables that have rows. */
export const copyStep = (client: ClientBase, ...tables: readonly CopyRows[]): WriteStep[] => {
  const rows = tables.filter(({ chunks }) => chunks.length > 0);
  if (rows.length === 0) return [];
  const sizeBytes = rows.flatMap(({ chunks }) => chunks).reduce((sum, chunk) => sum + chunk.length, 0);
  return [{ run: () => copyIn(client, rows), sizeBytes }];
};

/** Roughly how much memory a value takes while it waits. */
const VALUE_BYTES = 40;

export const queryStep = (client: ClientBase, sql: string, values: readonly unknown[][]): WriteStep => ({
  run: () => client.query(sql, values as unknown[][]),
  sizeBytes: VALUE_BYTES * values.length * values[0]!.length,
});
