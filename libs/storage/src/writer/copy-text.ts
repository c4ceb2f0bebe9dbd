import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** What stands in a COPY text row; `undefined` has no place in a table. */
export type CopyValue = string | number | bigint | boolean | null;

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const fieldOf = (value: CopyValue): string => {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  return SPECIAL.test(value) ? value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!) : value;
};

/** One line of PostgreSQL's COPY text format. */
export const copyLine = (values: readonly CopyValue[]): string => {
  let line = fieldOf(values[0]!);
  for (let i = 1; i < values.length; i += 1) line += `\t${fieldOf(values[i]!)}`;
  return `${line}\n`;
};

/** Streams rows into a table; `columns` is in the order of the values. Nothing is sent where there are no rows. */
export const copyRows = async (
  client: ClientBase,
  table: string,
  columns: readonly string[],
  lines: Iterable<string>,
): Promise<void> => {
  const chunks = chunked(lines, 1 << 18);
  const first = chunks.next();
  if (first.done) return;
  const sink = client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
  await pipeline(Readable.from(prepended(first.value, chunks), { objectMode: false }), sink);
};

function* chunked(lines: Iterable<string>, size: number): Generator<Buffer, void> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < size) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (chunk !== '') yield Buffer.from(chunk);
}

function* prepended(first: Buffer, rest: Iterable<Buffer>): Generator<Buffer, void> {
  yield first;
  yield* rest;
}
