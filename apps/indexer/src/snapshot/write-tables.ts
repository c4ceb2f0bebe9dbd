import {
  allOrNone,
  columnsOf,
  findBlockId,
  heightColumnOf,
  LARGE_TABLES,
  SNAPSHOT_TABLES,
  sortedRows,
} from '@roundhouse/storage';
import type { Client, ClientBase } from 'pg';
import type { ManifestPart, ManifestTable, PartedManifest } from './manifest.js';
import type { Heights, ManifestHead, SnapshotFolder } from './snapshot-folder.js';

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether its parts that never change again are those of this index, as far as it has them. */
const isOfIndex = async (client: ClientBase, head: ManifestHead, before: PartedManifest): Promise<boolean> =>
  before.final !== null &&
  before.rangeHeights === head.rangeHeights &&
  isSame(before.schema, head.schema) &&
  // A block's id determines all blocks below it.
  (await findBlockId(client, before.final.height)) === before.final.id;

const withPart = (table: ManifestTable, part: ManifestPart): ManifestTable => ({
  ...table,
  rows: table.rows + part.rows,
  parts: [...table.parts, part],
});

/** The parts up to the first that is missing or damaged. */
const keepParts = async (
  folder: SnapshotFolder,
  empty: ManifestTable,
  parts: readonly ManifestPart[],
  upTo: number,
): Promise<ManifestTable> => {
  let kept = { ...empty, upTo };
  for (const part of parts) {
    if (part.to! > upTo) break;
    if (!(await folder.hasPart(part))) return { ...kept, upTo: part.from! - 1 };
    kept = { ...withPart(kept, part), upTo };
  }
  return kept;
};

/**
 * Every table, with the parts of an earlier or interrupted snapshot that the next one holds too: those of blocks and
 * transactions that no fork can change. A rebuild may correct the rows of any other table, so these are read each time. Throws `OperatorError` if the folder has a snapshot of another chain.
 */
export const keptTables = async (
  client: ClientBase,
  folder: SnapshotFolder,
  head: ManifestHead,
): Promise<ManifestTable[]> => {
  folder.assertSameChain(head.network);
  let earlier: readonly ManifestTable[] = [];
  for (const before of folder.before) if (await isOfIndex(client, head, before)) earlier = before.tables;
  const tables: ManifestTable[] = [];
  for (const table of SNAPSHOT_TABLES) {
    const columns = columnsOf(table);
    const hasHeights = heightColumnOf(table) !== undefined;
    const empty = { name: table.name, columns, rows: 0, parts: [], ...(hasHeights && { upTo: 0 }) };
    const found = earlier.find(({ name }) => name === table.name && LARGE_TABLES.includes(name));
    const isKept = found !== undefined && isSame(found.columns, columns);
    const upTo = Math.min(found?.upTo ?? 0, head.final?.height ?? 0);
    tables.push(isKept ? await keepParts(folder, empty, found.parts, upTo) : empty);
  }
  return tables;
};

/** Adds to a table the parts that it lacks. `onPart` gets the table after each. */
const writeTable = async (
  client: Client,
  folder: SnapshotFolder,
  { final, head, rangeHeights }: ManifestHead,
  kept: ManifestTable,
  onPart: (table: ManifestTable) => Promise<void>,
): Promise<void> => {
  const { name, upTo } = kept;
  const rows = sortedRows(
    client,
    SNAPSHOT_TABLES.find((table) => table.name === name)!,
    upTo ?? 0,
  );
  let table = kept;
  const add = async (heights: Heights | null, last: number): Promise<void> => {
    if (await rows.hasUpTo(last)) table = withPart(table, await folder.writePart(name, heights, rows, last));
    if (last < Infinity) table = { ...table, upTo: last };
    await onPart(table);
  };
  if (upTo === undefined) return add(null, Infinity);
  let from = upTo + 1;
  for (; from <= (final?.height ?? 0); from += rangeHeights) {
    const to = from + rangeHeights - 1;
    await add({ from, to }, to);
  }
  await add({ from, to: head.height }, Infinity);
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
