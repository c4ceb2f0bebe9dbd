import { createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { addAbortSignal, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { refuseArchive, refuseIfDamaged } from './decode-line.js';
import { firstMemberIn, HEADER_BYTES, type Place } from './gzip-member.js';

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

const STEP_BYTES = 256 * 1024;

/** Reading this much is faster than looking for a nearer place. */
const NEAR_BYTES = 1024 * 1024;

/** Between two lines that are longer than this, no place is looked for. */
const LONG_LINE_BYTES = 16 * 1024 * 1024;

/** Finds the first place at offset `from` or above; null if there is none below `to`. */
export type NextPlace = (file: FileHandle, from: number, to: number) => Promise<Place | null>;

export const readAt = async (file: FileHandle, offset: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
};

/** The next member of a gzipped archive. */
export const nextMember: NextPlace = async (file, from, to) => {
  for (let offset = from; offset < to; offset += STEP_BYTES) {
    // A header may begin at the end of a step.
    const place = firstMemberIn(await readAt(file, offset, STEP_BYTES + HEADER_BYTES - 1), offset);
    if (place !== null) return place.offset < to ? place : null;
  }
  return null;
};

const heightIn = (line: Buffer): number | null => {
  try {
    const { height } = JSON.parse(line.toString()) as { readonly height?: unknown };
    return Number.isSafeInteger(height) && (height as number) > 1 ? (height as number) : null;
  } catch {
    return null;
  }
};

/** The next line of a plain archive. A block's line number is its height. */
export const nextLine: NextPlace = async (file, from, to) => {
  for (let length = STEP_BYTES; length <= LONG_LINE_BYTES; length *= 2) {
    const bytes = await readAt(file, from, length);
    const begin = bytes.indexOf(NEW_LINE) + 1;
    const end = bytes.indexOf(NEW_LINE, begin);
    if (begin > 0 && end !== -1) {
      const line = heightIn(bytes.subarray(begin, end));
      return line === null || from + begin >= to ? null : { line, offset: from + begin };
    }
    if (from + length >= to) break;
  }
  return null;
};

/**
 * A place at or below `line`, and near it, found by bisection: a few reads, however long the file. The lines from there
 * on still have to be checked: a file with lines that are missing or in another order may give a wrong place.
 */
export const findPlace = async (file: FileHandle, line: number, nextPlace: NextPlace): Promise<Place> => {
  let low = START;
  if (line === START.line) return START;
  let { size: high } = await file.stat();
  while (high - low.offset > NEAR_BYTES) {
    const middle = low.offset + Math.ceil((high - low.offset) / 2);
    const place = await nextPlace(file, middle, high);
    if (place !== null && place.line <= line) low = place;
    else high = middle;
  }
  return low;
};

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** An archive's file in the state in which it was opened. */
export interface ArchiveFile {
  readonly state: string;
  readonly isGzipped: boolean;
  /** False if it can only be read from its beginning: another program has gzipped it. */
  readonly isSeekable: boolean;
  /** A place at or below a line, where reading can begin; for `Infinity` near the end. */
  placeOf(line: number): Promise<Place>;
  /** See `readRuns`. */
  runs(place: Place): AsyncGenerator<Run, number>;
}

/** It changes when the file grows or is replaced. Throws for anything but a file: opening a pipe waits for its writer. */
export const stateOf = async (path: string): Promise<string> => {
  const found = await stat(path);
  if (!found.isFile()) throw Object.assign(new Error('it is no file'), { syscall: 'stat' });
  const { ino, size, mtimeMs } = found;
  return `${ino} ${size} ${mtimeMs}`;
};

const withFile = async <T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T> => {
  const file = await open(path);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
};

/** Opens an archive in its present state. `signal` ends all reading. */
export const openArchive = async (path: string, signal?: AbortSignal): Promise<ArchiveFile> => {
  const state = await stateOf(path);
  const head = await withFile(path, (file) => readAt(file, 0, HEADER_BYTES));
  // The name is not reliable.
  const isGzipped = head.subarray(0, 2).equals(GZIP_MAGIC);
  const isSeekable = !isGzipped || firstMemberIn(head, 0)?.line === START.line;
  const next = isGzipped ? nextMember : nextLine;
  return {
    state,
    isGzipped,
    isSeekable,
    placeOf: async (line) => (isSeekable ? withFile(path, (file) => findPlace(file, line, next)) : START),
    runs: (place) => readRuns(path, isGzipped, place, signal),
  };
};

/**
 * How many bytes a plain archive has after its last whole line: of one that is still being written, or was cut off. 0
 * for a gzipped file, which is refused if it is cut off.
 */
export const unfinishedBytes = async (path: string): Promise<number> => {
  const file = await openArchive(path);
  if (file.isGzipped) return 0;
  const runs = file.runs(await file.placeOf(Infinity));
  for (;;) {
    const { done, value } = await runs.next();
    if (done) return value;
  }
};
