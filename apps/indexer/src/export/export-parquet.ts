import { OperatorError } from '@roundhouse/config';
import {
  BLOCK_TABLES,
  findBlockId,
  inTransaction,
  listCertifiedHeights,
  pagesOf,
  PARTITION_HEIGHTS,
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

interface Work {
  readonly client: ClientBase;
  /** As it was at the start. */
  readonly index: Exportable;
  readonly folder: ExportFolder;
  readonly signal: AbortSignal;
}

const wentOn = (path: string, last: number): OperatorError =>
  new OperatorError(
    `${path} ends with the block ${last}, where the chain was said to end: export to another folder.`,
  );

/** In a short transaction, which the cursor needs: what is exported cannot change. */
const writeFile = async (
  { client, folder, signal }: Work,
  table: ExportedTable,
  { name: part, first, last }: Partition,
  values: readonly number[],
): Promise<void> => {
  const name = `${table.name}/${part}/${table.name}.parquet`;
  const known = folder.find(name);
  if (known !== undefined && known.last !== last) throw wentOn(folder.pathOf(name), known.last);
  if (known !== undefined) return;
  const id = (await findBlockId(client, last))!;
  const rows = pagesOf<ExportedRow>(client, table.select, values);
  const written = await inTransaction(client, () =>
    writeParquet(folder.pathOf(name), table.columns, rows, signal),
  );
  await folder.add({ name, first, last, id, ...written });
};

/** Throws `OperatorError` if the index has another chain than the folder. Returns the height up to which there are partitions. */
const lastOf = async ({ client, folder, index }: Work): Promise<number> => {
  const written = folder.files.filter(({ name }) => name.startsWith(`${BLOCK_TABLES.at(-1)!.name}/`));
  const newest = written.sort((one, other) => one.last - other.last).at(-1);
  if (newest === undefined) return 0;
  if (newest.last <= index.head.height && (await findBlockId(client, newest.last)) !== newest.id)
    throw new OperatorError(
      `${folder.path} has another block ${newest.last} than the index (${newest.id}): name another folder.`,
    );
  return newest.last;
};

/** Returns the height of the last block. */
const writePartitions = async (work: Work, by: Partitioning): Promise<number> => {
  const { client, folder, index } = work;
  const progress = new Progress('exporting');
  try {
    for (let last = await lastOf(work); ;) {
      const next = await partitionFrom(client, last + 1, { by, ...index });
      if (next === null) return last;
      if (by === 'heights' && last % PARTITION_HEIGHTS !== 0) throw wentOn(folder.path, last);
      for (const table of BLOCK_TABLES)
        await writeFile(work, table, next, [next.first, next.last, index.epoch]);
      last = next.last;
      progress.show(last, index.final);
    }
  } finally {
    progress.end();
  }
};

/** Accounts and votes, as they were after each certificate's block. */
const writeState = async (work: Work): Promise<void> => {
  for (const height of await listCertifiedHeights(work.client, work.index.final)) {
    const at = { name: `height=${height}`, first: height, last: height };
    for (const table of STATE_TABLES) await writeFile(work, table, at, [height]);
  }
};

/** Adds to the folder what can no longer be undone. If `signal` comes first, the same call continues. */
export const exportParquet = async (
  client: ClientBase,
  path: string,
  partition: Partitioning,
  signal: AbortSignal,
): Promise<Outcome> => {
  const index = await readExportable(client);
  const about = { version: FORMAT_VERSION, network: index.network, partition, tables: COLUMNS };
  const folder = await ExportFolder.open(path, { format: 'roundhouse parquet', ...about });
  const work = { client, index, signal, folder };
  const before = folder.files.length;
  let last = 0;
  const isWhole = await folder.fill(signal, async () => {
    last = await writePartitions(work, partition);
    await writeState(work);
    await folder.finish();
  });
  const message = isWhole
    ? `${path} has all blocks up to height ${last}: ${folder.files.length - before} files are new. Check it with "sha256sum -c SHA256SUMS".`
    : `Stopped: ${folder.files.length} files in ${path} are complete. The same command continues.`;
  return { isWhole, message };
};
