import type { FileHandle } from 'node:fs/promises';
import { firstMemberIn, HEADER_BYTES, START, type Place } from './gzip-member.js';

const NEW_LINE = 10;
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
