import { stat } from 'node:fs/promises';
import type { BlockRef } from '@roundhouse/chain';
import { ArchiveLines } from './archive-lines.js';
import { findLastMember, findPlace, nextLine, nextMember, type NextPlace } from './find-place.js';
import { START, type Place } from './gzip-member.js';
import { lastGzippedLine, lastPlainLine, type LastLine } from './last-line.js';
import { isGzipped, withFile } from './open-lines.js';
import { unpackedCopy, type UnpackOptions } from './unpacked-copy.js';

/** Smaller gzipped files without places are read from their beginning, in about a second. */
const UNPACK_FROM_BYTES = 64 * 1024 * 1024;

/** What an archive's file was when it was opened. It is opened again when this changes. */
interface FileState {
  readonly inode: number;
  readonly size: number;
  readonly changedMs: number;
}

export interface OpenArchive {
  readonly state: FileState;
  /** The file that is read: the archive or its plain copy. */
  readonly path: string;
  readonly lines: ArchiveLines;
  /** A place at or below a line, where reading can begin. */
  readonly placeOf: (line: number) => Promise<Place>;
  /** The last line that is not blank; null if there is none. */
  readonly lastLine: () => Promise<LastLine | null>;
  tip?: BlockRef;
}

export interface OpenArchiveOptions extends UnpackOptions {
  /** From which size on a gzipped file without places is unpacked. (Default: 64 MiB) */
  readonly unpackFromBytes?: number;
}

export const stateOf = async (path: string): Promise<FileState> => {
  const { ino: inode, size, mtimeMs: changedMs } = await stat(path);
  return { inode, size, changedMs };
};

export const isSameState = (a: FileState, b: FileState): boolean =>
  a.inode === b.inode && a.size === b.size && a.changedMs === b.changedMs;

/** A file in which any line is found by a few reads. */
const seekable = (path: string, size: number, next: NextPlace): Pick<OpenArchive, 'path' | 'placeOf'> => ({
  path,
  placeOf: (line) => withFile(path, (file) => findPlace(file, size, line, next)),
});

const plain = (path: string, size: number) => ({
  ...seekable(path, size, nextLine),
  lastLine: () => lastPlainLine(path),
});

const readableFile = async (
  path: string,
  { size }: FileState,
  { unpackFromBytes = UNPACK_FROM_BYTES, ...options }: OpenArchiveOptions,
): Promise<Pick<OpenArchive, 'path' | 'placeOf' | 'lastLine'>> => {
  if (!(await withFile(path, isGzipped))) return plain(path, size);
  const last = await withFile(path, (file) => findLastMember(file, size));
  if (last !== null)
    return { ...seekable(path, size, nextMember), lastLine: () => lastGzippedLine(path, last) };
  if (size >= unpackFromBytes) {
    const copy = await unpackedCopy(path, options);
    return plain(copy, (await stat(copy)).size);
  }
  return { path, placeOf: () => Promise.resolve(START), lastLine: () => lastGzippedLine(path, START) };
};

/** Opens an archive in its present state. A large gzipped one without places is unpacked first. */
export const openArchive = async (path: string, options: OpenArchiveOptions): Promise<OpenArchive> => {
  const state = await stateOf(path);
  const file = await readableFile(path, state, options);
  return { ...file, state, lines: new ArchiveLines(file.path, file.placeOf) };
};
