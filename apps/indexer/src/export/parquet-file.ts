import type { ExportedColumn, ExportedRow, ExportedType } from '@roundhouse/storage';
import {
  ByteWriter,
  ParquetWriter,
  schemaFromColumnData,
  type BasicType,
  type Writer,
} from 'hyparquet-writer';
import { writeHashedWhole, type FileSum } from '../files/write-whole.js';

/** Bounds the memory. A change changes the bytes of the files, and so the version of the format. */
const ROW_GROUP = 20_000;

/** The same in every version of Roundhouse, as the bytes are. */
const CREATED_BY = 'roundhouse';

const TYPES: Readonly<Record<ExportedType, BasicType>> = {
  integer: 'INT32',
  bigint: 'INT64',
  text: 'STRING',
  bytes: 'BYTE_ARRAY',
  time: 'TIMESTAMP',
};

const schemaOf = (columns: readonly ExportedColumn[]) =>
  schemaFromColumnData({
    columnData: columns.map(({ name, type, isNullable }) => ({
      name,
      data: [],
      type: TYPES[type],
      nullable: isNullable,
    })),
  });

/** Passes on what is encoded at the end of each row group. */
const chunkWriter = (add: (chunk: Uint8Array) => Promise<void>): Writer => {
  const writer = new ByteWriter();
  const flush = async (): Promise<void> => {
    await add(new Uint8Array(writer.buffer, 0, writer.index));
    writer.index = 0;
  };
  return Object.assign(writer, { flush, finish: flush });
};

/** Writes rows as one Parquet file, compressed with Snappy, or none if `signal` comes first. Returns its sum, and how many rows it has. */
export const writeParquet = async (
  path: string,
  columns: readonly ExportedColumn[],
  pages: AsyncIterable<readonly ExportedRow[]>,
  signal?: AbortSignal,
): Promise<FileSum & { readonly rows: number }> => {
  let rows = 0;
  const sum = await writeHashedWhole(path, async (add) => {
    const writer = new ParquetWriter({
      writer: chunkWriter(add),
      schema: schemaOf(columns),
      createdBy: CREATED_BY,
    });
    let group: ExportedRow[] = [];
    const write = async (): Promise<void> => {
      if (group.length === 0) return;
      const columnData = columns.map(({ name }, place) => ({ name, data: group.map((row) => row[place]) }));
      await writer.write({ columnData, rowGroupSize: ROW_GROUP });
      rows += group.length;
      group = [];
    };
    for await (const page of pages) {
      if (signal?.aborted) throw new Error('The export is stopped.');
      for (const row of page) {
        group.push(row);
        if (group.length === ROW_GROUP) await write();
      }
    }
    await write();
    await writer.finish();
  });
  return { ...sum, rows };
};
