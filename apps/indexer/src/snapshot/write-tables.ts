import { allOrNone, SNAPSHOT_TABLES, sortedRows } from '@roundhouse/storage';
import type { Client } from 'pg';
import type { ManifestTable } from './manifest.js';
import type { Heights, ManifestHead, SnapshotFolder } from './snapshot-folder.js';

const withPart = (table: ManifestTable, part: ManifestTable['parts'][number]): ManifestTable => ({
  ...table,
  rows: table.rows + part.rows,
  parts: [...table.parts, part],
});

/** Adds to a table the parts that it lacks. `onPart` gets the table after each. */
const writeTable = async (
  client: Client,
  folder: SnapshotFolder,
  { final, head, rangeHeights }: ManifestHead,
  kept: ManifestTable,
  onPart: (table: ManifestTable) => Promise<void>,
): Promise<void> => {
  const rows = sortedRows(
    client,
    SNAPSHOT_TABLES.find(({ name }) => name === kept.name)!,
    kept.upTo ?? 0,
  );
  let table = kept;
  const add = async (heights: Heights | null, last: number): Promise<void> => {
    if (await rows.hasUpTo(last))
      table = withPart(table, await folder.writePart(table.name, heights, rows, last));
  };
  for (let upTo = table.upTo; upTo !== undefined && upTo < (final?.height ?? 0); upTo = table.upTo) {
    const to = upTo + rangeHeights;
    await add({ from: upTo + 1, to }, to);
    table = { ...table, upTo: to };
    await onPart(table);
  }
  await add(table.upTo === undefined ? null : { from: table.upTo + 1, to: head.height }, Infinity);
  await onPart(table);
};

/**
 * Adds to the tables the parts that they lack. `onPart` gets all tables after each part. The first error cuts off all
 * connections.
 */
export const writeTables = async (
  clients: readonly Client[],
  folder: SnapshotFolder,
  head: ManifestHead,
  kept: readonly ManifestTable[],
  counts: ReadonlyMap<string, number>,
  onPart: (tables: readonly ManifestTable[]) => void,
): Promise<ManifestTable[]> => {
  const tables = new Map(kept.map((table) => [table.name, table]));
  // The largest first, so that no connection has to wait for another at the end.
  const waiting = kept.toSorted((one, other) => counts.get(other.name)! - counts.get(one.name)!).values();
  const onTable = async (table: ManifestTable): Promise<void> => {
    tables.set(table.name, table);
    onPart([...tables.values()]);
    await folder.note({ ...head, tables: [...tables.values()] });
  };
  const work = async (client: Client): Promise<void> => {
    for (const each of waiting) await writeTable(client, folder, head, each, onTable);
  };
  await allOrNone(clients, clients.map(work));
  return [...tables.values()];
};
