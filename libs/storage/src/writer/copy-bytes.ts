import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { COPY_HEADER, COPY_TRAILER } from './copy-binary.js';

const copy = async (client: ClientBase, sql: string, chunks: readonly Uint8Array[]): Promise<void> => {
  await pipeline(Readable.from(chunks, { objectMode: false }), client.query(copyFrom(sql)));
};

/** Streams rows in COPY's text form into a table; `columns` is in the order of the values. */
export const copyText = (
  client: ClientBase,
  table: string,
  columns: readonly string[],
  chunks: readonly Uint8Array[],
): Promise<void> => copy(client, `COPY ${table} (${columns.join(', ')}) FROM STDIN`, chunks);

/** Streams rows in COPY's binary form, which takes PostgreSQL less than text does. */
export const copyBinary = (
  client: ClientBase,
  table: string,
  columns: readonly string[],
  rows: Uint8Array,
): Promise<void> =>
  copy(client, `COPY ${table} (${columns.join(', ')}) FROM STDIN (FORMAT binary)`, [
    COPY_HEADER,
    rows,
    COPY_TRAILER,
  ]);
