import type { ExportedColumn, ExportedRow, ExportedType } from '@roundhouse/storage';
import { ByteWriter, parquetWriteRows, type BasicType, type Writer } from 'hyparquet-writer';
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
  const listed = async function* (): AsyncGenerator<ExportedRow, void> {
    for await (const page of pages) {
      if (signal?.aborted) throw new Error('The export is stopped.');
      rows += page.length;
      yield* page;
    }
  };
  const sum = await writeHashedWhole(path, async (add) =>
    parquetWriteRows({
      writer: chunkWriter(add),
      rows: listed(),
      columns: columns.map(({ name, type, isNullable }) => ({
        name,
        type: TYPES[type],
        nullable: isNullable,
      })),
      rowGroupSize: ROW_GROUP,
      createdBy: CREATED_BY,
    }),
  );
  return { ...sum, rows };
};
