import { OperatorError } from '@roundhouse/config';
import {
  BLOCK_TABLES,
  exportedRows,
  findBlockId,
  PARTITION_HEIGHTS,
  listCertifiedHeights,
  partitionFrom,
  STATE_TABLES,
  type ExportedRow,
  type ExportedTable,
  type Partition,
  type Partitioning,
} from '@roundhouse/storage';
import type { ClientBase } from 'pg';
import { Progress } from '../command-line/progress.js';
import { ExportFolder, type Outcome } from './export-folder.js';
import { readExportable, type Exportable } from './exportable.js';
import { writeParquet } from './parquet-file.js';

/** Grows when the same chain gives other bytes. */
const FORMAT_VERSION = 1;

/** Name and type of each column, as a snapshot's manifest has them. */
const COLUMNS = Object.fromEntries(
  [...BLOCK_TABLES, ...STATE_TABLES].map(({ name, columns }) => [
    name,
    columns.map((column) => `${column.name} ${column.type}${column.isNullable ? ' or null' : ''}`),
  ]),
);

export interface ParquetOptions {
  readonly path: string;
  readonly partition: Partitioning;
  /** Whether \`accounts\` and \`votes\` are written, too. */
  readonly withState: boolean;
}

interface Work {
  readonly client: ClientBase;
  readonly folder: ExportFolder;
  readonly signal: AbortSignal;
}

const wentOn = (path: string, last: number): OperatorError =>
  new OperatorError(
    `${path} ends with the block ${last}, where the chain was said to end: export to another folder.`,
  );

const writeFile = async (
  { client, folder, signal }: Work,
  { name: table, columns }: ExportedTable,
  { name: part, first, last }: Partition,
  pages: AsyncIterable<readonly ExportedRow[]>,
): Promise<void> => {
  const name = `${table}/${part}/${table}.parquet`;
  const known = folder.find(name);
  if (known !== undefined && known.last !== last) throw wentOn(folder.pathOf(name), known.last);
  if (known !== undefined) return;
  const id = (await findBlockId(client, last))!;
  const written = await writeParquet(folder.pathOf(name), columns, pages, signal);
  await folder.add({ name, first, last, id, ...written });
};

/** Everything is read in short transactions: what is exported cannot change. */
const inSnapshot = async <T>(client: ClientBase, read: (index: Exportable) => Promise<T>): Promise<T> => {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    return await read(await readExportable(client));
  } finally {
    await client.query('ROLLBACK');
  }
};

/** Throws `OperatorError` if the index has another chain than the folder. Returns the height up to which there are partitions. */
const lastOf = async ({ client, folder }: Work, { head }: Exportable): Promise<number> => {
  const written = folder.files.filter(({ name }) => name.startsWith(`${BLOCK_TABLES.at(-1)!.name}/`));
  const newest = written.sort((one, other) => one.last - other.last).at(-1);
  if (newest === undefined) return 0;
  if (newest.last <= head.height && (await findBlockId(client, newest.last)) !== newest.id)
    throw new OperatorError(
      `${folder.path} has another block ${newest.last} than the index (${newest.id}): name another folder.`,
    );
  return newest.last;
};

/** Returns the height of the last block. */
const writePartitions = async (work: Work, by: Partitioning): Promise<number> => {
  const { client, folder } = work;
  const progress = new Progress('exporting');
  /** Null if none is complete. */
  const writeNext = async (first: number, index: Exportable): Promise<Partition | null> => {
    const next = await partitionFrom(client, first, { by, ...index });
    if (next === null) return null;
    if (by === 'heights' && (first - 1) % PARTITION_HEIGHTS !== 0) throw wentOn(folder.path, first - 1);
    for (const table of BLOCK_TABLES)
      await writeFile(work, table, next, exportedRows(client, table, [next.first, next.last, index.epoch]));
    progress.show(next.last, index.final);
    return next;
  };
  try {
    for (let last = await inSnapshot(client, (index) => lastOf(work, index)); ;) {
      const next = await inSnapshot(client, (index) => writeNext(last + 1, index));
      if (next === null) return last;
      last = next.last;
    }
  } finally {
    progress.end();
  }
};

/** Throws `OperatorError` if there is nothing of which to write the state. */
const assertCertified = async (client: ClientBase, { final }: Exportable): Promise<void> => {
  if ((await listCertifiedHeights(client, final)).length > 0) return;
  throw new OperatorError(
    `The index has no certificate of a height up to ${final}, the newest that can no longer be undone: run "indexer certificate --height ${final}" first.`,
  );
};

/** As they were after each certificate's block. */
const writeState = async (work: Work): Promise<void> =>
  inSnapshot(work.client, async ({ final }) => {
    for (const height of await listCertifiedHeights(work.client, final)) {
      const at = { name: `height=${height}`, first: height, last: height };
      for (const table of STATE_TABLES)
        await writeFile(work, table, at, exportedRows(work.client, table, [height]));
    }
  });

/** Adds to the folder what can no longer be undone. If `signal` comes first, the same call continues. */
export const exportParquet = async (
  client: ClientBase,
  { path, partition, withState }: ParquetOptions,
  signal: AbortSignal,
): Promise<Outcome> => {
  const folder = await inSnapshot(client, async (index) => {
    if (withState) await assertCertified(client, index);
    const { network } = index;
    const about = { version: FORMAT_VERSION, network, partition, tables: COLUMNS };
    return ExportFolder.open(path, { format: 'roundhouse parquet', ...about });
  });
  const work = { client, signal, folder };
  const before = folder.files.length;
  let last = 0;
  const write = async (): Promise<void> => {
    last = await writePartitions(work, partition);
    if (withState) await writeState(work);
    await folder.finish();
  };
  return folder.fill(signal, write, (isWhole) =>
    isWhole
      ? `${path} has all blocks up to height ${last}: ${folder.files.length - before} files are new. Check it with "sha256sum -c SHA256SUMS".`
      : `Stopped: ${folder.files.length} files in ${path} are complete. The same command continues.`,
  );
};
