import { open } from 'node:fs/promises';
import { isJson, openLines } from './open-lines.js';

const NEW_LINE = 10;
const FIRST_TAIL_BYTES = 64 * 1024;

export interface LastLine {
  readonly text: Buffer;
  /** Its number, from 1, where finding it meant reading all lines. */
  readonly number?: number;
}

/** The last whole line of a plain file, read from its end; null where there is none. */
export const lastPlainLine = async (path: string): Promise<LastLine | null> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    for (let tailBytes = FIRST_TAIL_BYTES; ; tailBytes *= 4) {
      const start = Math.max(0, size - tailBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
      const text = lastIn(buffer.subarray(0, bytesRead), start === 0);
      if (text) return { text };
      if (start === 0) return null;
    }
  } finally {
    await file.close();
  }
};

const lastIn = (tail: Buffer, isWholeFile: boolean): Buffer | null => {
  const end = tail.lastIndexOf(NEW_LINE);
  const unfinished = tail.subarray(end + 1);
  if (unfinished.length > 0 && (end !== -1 || isWholeFile) && isJson(unfinished)) return unfinished;
  if (end === -1) return null;
  const start = end === 0 ? -1 : tail.lastIndexOf(NEW_LINE, end - 1);
  if (start === -1 && !isWholeFile) return null;
  const line = tail.subarray(start + 1, end);
  return line.length > 0 ? line : null;
};

/** The last line of a gzipped file: all of it has to be unpacked once. */
export const lastGzippedLine = async (path: string): Promise<LastLine | null> => {
  const lines = await openLines(path);
  try {
    let last: LastLine | null = null;
    let number = 0;
    for (let batch = await lines.next(); batch !== null; batch = await lines.next()) {
      number += batch.length;
      const text = batch.at(-1);
      if (text) last = { text, number };
    }
    return last;
  } finally {
    await lines.close();
  }
};
