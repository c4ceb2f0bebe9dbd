import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const NEW_LINE = 10;
const CHUNK_BYTES = 256 * 1024;
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, NEW_LINE]);
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Whether a file is gzipped, judged by its first bytes: the name is not reliable. */
export const isGzipped = async (file: FileHandle): Promise<boolean> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return bytesRead === 2 && buffer.equals(GZIP_MAGIC);
};

/** Whether a line without a line break is already complete. */
export const isJson = (line: Buffer): boolean => {
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    return false;
  }
};

/** Whether the bytes are all white space, or none at all. */
export const isBlank = (bytes: Uint8Array): boolean => endOfText(bytes) === 0;

/** The offset past the last byte that is not white space. */
export const endOfText = (bytes: Uint8Array): number => {
  let end = bytes.length;
  while (end > 0 && WHITE_SPACE.has(bytes[end - 1]!)) end -= 1;
  return end;
};

export interface Lines {
  /** Returns the lines that the next chunk completes, or null at the end. */
  next(): Promise<Buffer[] | null>;
  close(): Promise<void>;
}

/**
 * Reads lines from byte `offset` on (0 for a gzipped file), in chunks of bounded size. If a plain file's last line
 * has no line break, it counts only once it is complete: until then it is still being written.
 */
export const openLines = async (path: string, offset = 0): Promise<Lines> => {
  const file = await open(path);
  const bytes = file.createReadStream({ start: offset, highWaterMark: CHUNK_BYTES });
  const gzipped = await isGzipped(file);
  const text: Readable = gzipped ? bytes.pipe(createGunzip({ chunkSize: CHUNK_BYTES })) : bytes;
  if (gzipped) bytes.once('error', (error) => text.destroy(error));
  return new StreamLines(bytes, text, gzipped);
};

class StreamLines implements Lines {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer[] = [];

  constructor(
    private readonly file: Readable,
    private readonly text: Readable,
    private readonly isWhole: boolean,
  ) {
    this.chunks = text[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async next(): Promise<Buffer[] | null> {
    const chunk = await this.chunks.next();
    if (!chunk.done) return this.split(chunk.value);
    const last = Buffer.concat(this.rest);
    this.rest = [];
    return last.length > 0 && (this.isWhole || isJson(last)) ? [last] : null;
  }

  async close(): Promise<void> {
    this.text.destroy();
    this.file.destroy();
  }

  private split(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, start)) {
      const tail = chunk.subarray(start, end);
      lines.push(this.rest.length > 0 ? Buffer.concat([...this.rest, tail]) : tail);
      this.rest = [];
      start = end + 1;
    }
    if (start < chunk.length) this.rest.push(chunk.subarray(start));
    return lines;
  }
}
