import { open, stat, type FileHandle } from 'node:fs/promises';
import { findPlace, nextLine, nextMember, readAt } from './find-place.js';
import { firstMemberIn, HEADER_BYTES, START, type Place } from './gzip-member.js';
import { readRuns, type Run } from './runs.js';

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
    ...{ state, isGzipped, isSeekable },
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
