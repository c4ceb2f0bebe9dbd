import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const NEW_LINE = 10;
const CHUNK_BYTES = 256 * 1024;
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, NEW_LINE]);
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const LONGEST_LINE_MIB = 256;

/** Without a bound, a file without line breaks would be read into memory whole. */
export class LineTooLongError extends Error {
  constructor() {
    super(`a line is longer than ${LONGEST_LINE_MIB} MiB`);
    this.name = 'LineTooLongError';
  }
}

/** Throws `LineTooLongError` if an unfinished line has this many bytes. */
export const assertLineLength = (bytes: number): void => {
  if (bytes > LONGEST_LINE_MIB * 1024 * 1024) throw new LineTooLongError();
};

export const withFile = async <T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T> => {
  const file = await open(path);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
};

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

async function* withBoundedLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let unfinished = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEW_LINE);
    unfinished = end === -1 ? unfinished + chunk.length : chunk.length - end - 1;
    assertLineLength(unfinished);
    yield chunk;
  }
}

interface OpenText {
  readonly chunks: AsyncGenerator<Buffer, void>;
  readonly isGzipped: boolean;
  readonly close: () => void;
}

/**
 * Opens an archive at byte `offset`, where a line begins, or a member of a gzipped file. Its text arrives unpacked, in chunks of this size. Reading
 * the chunks throws `LineTooLongError`.
 */
export const openText = async (path: string, chunkBytes: number, offset = 0): Promise<OpenText> => {
  const file = await open(path);
  const bytes = file.createReadStream({ start: offset, highWaterMark: chunkBytes });
  const gzipped = await isGzipped(file);
  const text: Readable = gzipped ? bytes.pipe(createGunzip({ chunkSize: chunkBytes })) : bytes;
  if (gzipped) bytes.once('error', (error) => text.destroy(error));
  const close = (): void => {
    text.destroy();
    bytes.destroy();
  };
  return { chunks: withBoundedLines(text), isGzipped: gzipped, close };
};

export interface Lines {
  /** Returns the lines that the next chunk completes, or null at the end. */
  next(): Promise<Buffer[] | null>;
  close(): Promise<void>;
}

/**
 * Reads lines from byte `offset` on, where a line begins, or a member of a gzipped file, in chunks of bounded size. If
 * a plain file's last line has no line break, it counts only once it is complete: until then it is still being written.
 */
export const openLines = async (path: string, offset = 0): Promise<Lines> =>
  new StreamLines(await openText(path, CHUNK_BYTES, offset));

class StreamLines implements Lines {
  private rest: Buffer[] = [];

  constructor(private readonly opened: OpenText) {}

  async next(): Promise<Buffer[] | null> {
    const chunk = await this.opened.chunks.next();
    if (!chunk.done) return this.split(chunk.value);
    const last = Buffer.concat(this.rest);
    this.rest = [];
    return last.length > 0 && (this.opened.isGzipped || isJson(last)) ? [last] : null;
  }

  async close(): Promise<void> {
    this.opened.close();
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
