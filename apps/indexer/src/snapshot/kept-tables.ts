import { columnsOf, findBlockId, heightColumnOf, LARGE_TABLES, SNAPSHOT_TABLES } from '@roundhouse/storage';
import type { ClientBase } from 'pg';
import type { ManifestTable, PartedManifest } from './manifest.js';
import type { ManifestHead, SnapshotFolder } from './snapshot-folder.js';

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether its parts that never change again are those of this index, as far as it has them. */
const isOfIndex = async (client: ClientBase, head: ManifestHead, before: PartedManifest): Promise<boolean> =>
  before.final !== null &&
  before.rangeHeights === head.rangeHeights &&
  isSame(before.schema, head.schema) &&
  // A block's id determines all blocks below it.
  (await findBlockId(client, before.final.height)) === before.final.id;

/** The parts up to the first that is missing or damaged. */
const keepParts = async (
  folder: SnapshotFolder,
  { parts, ...table }: ManifestTable,
  upTo: number,
): Promise<ManifestTable> => {
  const candidates = parts.filter(({ to = Infinity }) => to <= upTo);
  let kept: ManifestTable = { ...table, upTo, rows: 0, parts: [] };
  for (const part of candidates) {
    if (!(await folder.hasPart(part))) return { ...kept, upTo: part.from! - 1 };
    kept = { ...kept, rows: kept.rows + part.rows, parts: [...kept.parts, part] };
  }
  return kept;
};

const findEarlier = async (
  client: ClientBase,
  folder: SnapshotFolder,
  head: ManifestHead,
): Promise<PartedManifest | null> => {
  for (const before of folder.before) if (await isOfIndex(client, head, before)) return before;
  return null;
};

/**
 * Every table, with the parts of an earlier or interrupted snapshot that the next one holds too: those of blocks and
 * transactions that no fork can change, unless all are written again. A rebuild may correct the rows of any other table,
 * so these are read each time. Throws `OperatorError` if the folder has a snapshot of another chain.
 */
export const keptTables = async (
  client: ClientBase,
  folder: SnapshotFolder,
  head: ManifestHead,
  isFull: boolean,
): Promise<ManifestTable[]> => {
  folder.assertSameChain(head.network);
  const earlier = isFull ? null : await findEarlier(client, folder, head);
  const tables: ManifestTable[] = [];
  for (const table of SNAPSHOT_TABLES) {
    const empty = { name: table.name, columns: columnsOf(table), rows: 0, parts: [] };
    const found = earlier?.tables.find(({ name }) => name === table.name);
    if (heightColumnOf(table) === undefined) tables.push(empty);
    else if (!LARGE_TABLES.includes(table.name) || !isSame(found?.columns, empty.columns))
      tables.push({ ...empty, upTo: 0 });
    else tables.push(await keepParts(folder, found!, Math.min(found!.upTo ?? 0, head.final?.height ?? 0)));
  }
  return tables;
};
