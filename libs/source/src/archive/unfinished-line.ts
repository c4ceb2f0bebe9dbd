import { open } from 'node:fs/promises';
import { isBlank, isGzipped, isJson } from './open-lines.js';

const CHUNK_BYTES = 64 * 1024;
const NEW_LINE = 10;

/**
 * How many bytes a plain archive has after its last whole line: of one that is still being written, or was cut off. 0
 * for a gzipped file, which is refused if it is cut off.
 */
export const unfinishedBytes = async (path: string): Promise<number> => {
  const file = await open(path);
  try {
    if (await isGzipped(file)) return 0;
    const { size } = await file.stat();
    const tail: Buffer[] = [];
    let end = -1;
    for (let start = size; start > 0 && end === -1;) {
      const length = Math.min(CHUNK_BYTES, start);
      start -= length;
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, start);
      end = buffer.lastIndexOf(NEW_LINE);
      tail.unshift(buffer.subarray(end + 1));
    }
    const line = Buffer.concat(tail);
    return isBlank(line) || isJson(line) ? 0 : line.length;
  } finally {
    await file.close();
  }
};
