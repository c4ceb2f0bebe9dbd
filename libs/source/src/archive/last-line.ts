import type { FileHandle } from 'node:fs/promises';
import { refuseIfDamaged } from './decode-line.js';
import type { Place } from './gzip-member.js';
import {
  assertLineLength,
  endOfText,
  isBlank,
  isGzipped,
  isJson,
  openLines,
  withFile,
} from './open-lines.js';

const NEW_LINE = 10;
const FIRST_TAIL_BYTES = 64 * 1024;

export interface LastLine {
  readonly text: Buffer;
  /** The line's number, from 1. Known only in a gzipped file. */
  readonly number?: number;
}

/** Calls `find` with longer and longer ends of a plain file until it finds something; null if the whole file has nothing. */
const findAtEnd = async <T>(
  file: FileHandle,
  find: (tail: Buffer, isWholeFile: boolean) => T | null,
): Promise<T | null> => {
  const { size } = await file.stat();
  for (let tailBytes = FIRST_TAIL_BYTES; ; tailBytes *= 4) {
    const start = Math.max(0, size - tailBytes);
    const tail: Buffer[] = [];
    for await (const chunk of file.createReadStream({ start, autoClose: false })) tail.push(chunk as Buffer);
    const found = find(Buffer.concat(tail), start === 0);
    if (found !== null || start === 0) return found;
    // The last line has more than these bytes.
    assertLineLength(tailBytes + 1);
  }
};

/** Returns the last whole line of a plain file that is not blank, read from its end, or null if there is none. */
export const lastPlainLine = async (path: string): Promise<LastLine | null> => {
  const text = await withFile(path, (file) => findAtEnd(file, lastIn));
  return text && { text };
};

const unfinishedIn = (tail: Buffer, isWholeFile: boolean): number | null => {
  const end = tail.lastIndexOf(NEW_LINE);
  if (end === -1 && !isWholeFile) return null;
  const line = tail.subarray(end + 1);
  return isBlank(line) || isJson(line) ? 0 : line.length;
};

/**
 * How many bytes a plain archive has after its last whole line: of one that is still being written, or was cut off. 0
 * for a gzipped file, which is refused if it is cut off.
 */
export const unfinishedBytes = (path: string): Promise<number> =>
  withFile(path, async (file) =>
    (await isGzipped(file)) ? 0 : ((await findAtEnd(file, unfinishedIn)) ?? 0),
  );

const lastIn = (tail: Buffer, isWholeFile: boolean): Buffer | null => {
  const end = tail.lastIndexOf(NEW_LINE);
  const unfinished = tail.subarray(end + 1);
  if (unfinished.length > 0 && (end !== -1 || isWholeFile) && isJson(unfinished)) return unfinished;
  const whole = tail.subarray(0, endOfText(tail.subarray(0, end + 1)));
  const start = whole.lastIndexOf(NEW_LINE);
  if (whole.length === 0 || (start === -1 && !isWholeFile)) return null;
  return whole.subarray(start + 1);
};

/** Returns the last line of a gzipped file that is not blank, and null if there is none from `place` on. */
export const lastGzippedLine = async (path: string, place: Place): Promise<LastLine | null> => {
  const lines = await openLines(path, place.offset);
  let last: LastLine | null = null;
  let next = place.line;
  try {
    for (let batch = await lines.next(); batch !== null; batch = await lines.next()) {
      const at = batch.findLastIndex((line) => !isBlank(line));
      if (at !== -1) last = { text: batch[at]!, number: next + at };
      next += batch.length;
    }
    return last;
  } catch (error) {
    throw refuseIfDamaged(path, next, error as Error);
  } finally {
    await lines.close();
  }
};
