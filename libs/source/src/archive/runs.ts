import { createReadStream } from 'node:fs';
import { addAbortSignal, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { refuseArchive, refuseIfDamaged } from './decode-line.js';

/** Where a line of an archive begins. */
export interface Place {
  /** The line's number, from 1. */
  readonly line: number;
  /** Its first byte in the file; in a gzipped file, the first byte of its member. */
  readonly offset: number;
}

/** The beginning of every archive. */
export const START: Place = { line: 1, offset: 0 };

const NEW_LINE = 10;
const CHUNK_BYTES = 1024 * 1024;
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, NEW_LINE]);

/** Without a bound, a file without line breaks would be read into memory whole. */
const LONGEST_LINE_MIB = 256;

/** The offset past the last byte that is not white space. */
export const endOfText = (bytes: Uint8Array): number => {
  let end = bytes.length;
  while (end > 0 && WHITE_SPACE.has(bytes[end - 1]!)) end -= 1;
  return end;
};

/** Whether the bytes are all white space, or none at all. */
export const isBlank = (bytes: Uint8Array): boolean => endOfText(bytes) === 0;

/** Whether a line without a line break is already complete. */
const isJson = (line: Buffer): boolean => {
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    return false;
  }
};

/** Consecutive whole lines of an archive. */
export class Run {
  /** The number of the line after them. */
  readonly next: number;

  constructor(
    /** The number of their first line. */
    readonly first: number,
    /** Without the last line break. */
    readonly bytes: Buffer,
  ) {
    let next = first + 1;
    for (let at = bytes.indexOf(NEW_LINE); at !== -1; at = bytes.indexOf(NEW_LINE, at + 1)) next += 1;
    this.next = next;
  }

  /** The lines, each a part of `bytes`. */
  lines(): Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = this.bytes.indexOf(NEW_LINE); end !== -1; end = this.bytes.indexOf(NEW_LINE, start)) {
      lines.push(this.bytes.subarray(start, end));
      start = end + 1;
    }
    lines.push(this.bytes.subarray(start));
    return lines;
  }
}

/**
 * Reads an archive from a place on, once. The lines are not parsed. If a plain file's last line has no line break, it
 * counts only once it is complete: until then it is still being written. Returns how many bytes such a line has so far.
 */
export async function* readRuns(
  path: string,
  isGzipped: boolean,
  place: Place,
  signal?: AbortSignal,
): AsyncGenerator<Run, number> {
  const stored = createReadStream(path, { start: place.offset, highWaterMark: CHUNK_BYTES });
  const content = isGzipped
    ? // The reader below gets the error.
      pipeline(stored, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined)
    : stored;
  if (signal) addAbortSignal(signal, content);
  let { line } = place;
  let rest: Buffer[] = [];
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      const end = chunk.lastIndexOf(NEW_LINE);
      if (end === -1) {
        rest.push(chunk);
        if (rest.reduce((sum, { length }) => sum + length, 0) > LONGEST_LINE_MIB * 1024 * 1024)
          throw refuseArchive(`file:${path}`, `a line is longer than ${LONGEST_LINE_MIB} MiB`);
        continue;
      }
      const run = new Run(line, Buffer.concat([...rest, chunk.subarray(0, end)]));
      line = run.next;
      rest = [chunk.subarray(end + 1)];
      yield run;
    }
  } catch (error) {
    throw refuseIfDamaged(path, line, error as Error);
  }
  const last = Buffer.concat(rest);
  if (isBlank(last)) return 0;
  if (!isGzipped && !isJson(last)) return last.length;
  yield new Run(line, last);
  return 0;
}
