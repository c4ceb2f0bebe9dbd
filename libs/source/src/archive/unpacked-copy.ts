import { createReadStream, type Stats } from 'node:fs';
import { open, rename, rm, stat, statfs, utimes, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { NodeUnavailableError } from '../errors/node-errors.js';
import { refuseIfDamaged } from './decode-line.js';

const NEW_LINE = 10;
const CHUNK_BYTES = 1024 * 1024;
const STEP_MS = 10_000;

/** The room on the disk is checked each time so much of the archive is unpacked. */
const ROOM_CHECK_BYTES = 64 * CHUNK_BYTES;

/** How often a process looks whether another one has unpacked the same archive. */
const LOOK_MS = 1_000;

/** After this time without a write, the process that was unpacking is gone. */
const STALE_MS = 60_000;

/** How far the unpacking of an archive is, for the log. */
export interface UnpackingStep {
  /** `waiting`: another process unpacks the same archive. */
  readonly step: 'begun' | 'under way' | 'done' | 'reused' | 'waiting';
  readonly archive: string;
  /** The plain file that is read instead of the archive. */
  readonly copy: string;
  /** The size of the copy so far. */
  readonly copyBytes: number;
  /** The bytes of the archive that are unpacked, and all of them. */
  readonly doneBytes: number;
  readonly allBytes: number;
}

export interface UnpackOptions {
  readonly onStep: (step: UnpackingStep) => void;
  readonly signal: AbortSignal;
  /** The free bytes on the disk of a folder. For tests. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

const freeOnDisk = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

class NoRoomError extends Error {}

/** The error if the archive cannot be unpacked because of what the operator has set up. */
const unavailable = (archive: string, problem: string, cause: unknown): NodeUnavailableError =>
  new NodeUnavailableError(
    `file:${archive}`,
    'unreachable',
    `The archive ${archive} cannot be unpacked: ${problem}. Or unpack it elsewhere ("gunzip -c ${archive} > FILE") and ` +
      'set BLOCK_SOURCE=file:FILE. Archives that "indexer export" writes need not be unpacked.',
    { cause },
  );

/** Two processes that find an abandoned copy at the same moment can both remove it. */
const takenOver = (archive: string, part: string): NodeUnavailableError =>
  unavailable(archive, `another process has begun ${part} again. It is used when it is complete`, undefined);

const translated = (archive: string, error: NodeJS.ErrnoException): Error => {
  if (error.name === 'AbortError') {
    const message = `The archive ${archive} is not unpacked further, because this source was closed.`;
    return new NodeUnavailableError(`file:${archive}`, 'unreachable', message, { cause: error });
  }
  const folder = dirname(archive);
  if (error instanceof NoRoomError || error.code === 'ENOSPC') {
    const detail = error instanceof NoRoomError ? `: ${error.message}` : '';
    return unavailable(archive, `the disk of ${folder} is too full${detail}. Free some space there`, error);
  }
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS')
    return unavailable(archive, `${folder} is not writable (${error.message}). Make it writable`, error);
  return error;
};

/** The size of the copy if it was made from the archive in its present state: a finished copy has its time of change. */
const sizeOfCopy = async (copy: string, changed: Date): Promise<number | null> => {
  const found = await stat(copy).catch(() => null);
  return found?.mtime.getTime() === changed.getTime() ? found.size : null;
};

/** Creates the unfinished copy. Null if another process is writing it. */
const claim = async (part: string): Promise<FileHandle | null> => {
  const found = await stat(part).catch(() => null);
  if (found !== null && Date.now() - found.mtimeMs < STALE_MS) return null;
  // If there was none, a file that is there now belongs to another process.
  if (found !== null) await rm(part, { force: true });
  try {
    return await open(part, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
};

const isSameFile = async (path: string, { ino }: Stats): Promise<boolean> =>
  (await stat(path).catch(() => null))?.ino === ino;

class Unpacking {
  private readonly gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  private copyBytes = 0;
  private lines = 0;
  private checkAt = 0;
  private reportAt = performance.now() + STEP_MS;

  constructor(
    private readonly archive: string,
    private readonly copy: string,
    private readonly allBytes: number,
    private readonly options: UnpackOptions,
  ) {}

  /** Closes the file. */
  async run(part: FileHandle): Promise<void> {
    this.report('begun');
    const packed = createReadStream(this.archive, { highWaterMark: CHUNK_BYTES });
    const watched = (chunks: AsyncIterable<Buffer>) => this.watch(chunks);
    const { signal } = this.options;
    try {
      await pipeline(packed, this.gunzip, watched, part.createWriteStream({ flush: true }), { signal });
    } catch (error) {
      throw refuseIfDamaged(this.archive, this.lines + 1, error as Error);
    }
    this.report('done');
  }

  private report(step: UnpackingStep['step']): void {
    const { archive, copy, copyBytes, allBytes } = this;
    const doneBytes = this.gunzip.bytesWritten;
    this.options.onStep({ step, archive, copy, copyBytes, doneBytes, allBytes });
  }

  private async *watch(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    for await (const chunk of chunks) {
      this.copyBytes += chunk.length;
      for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, at + 1)) this.lines += 1;
      if (this.gunzip.bytesWritten >= this.checkAt) {
        this.checkAt = this.gunzip.bytesWritten + ROOM_CHECK_BYTES;
        await this.assertRoom();
      }
      if (performance.now() >= this.reportAt) {
        this.reportAt += STEP_MS;
        this.report('under way');
      }
      yield chunk;
    }
  }

  /** A disk that will be too full is not filled first: a database may be on it. */
  private async assertRoom(): Promise<void> {
    const { freeBytes = freeOnDisk } = this.options;
    const free = await freeBytes(dirname(this.copy));
    const needed = (this.copyBytes / this.gunzip.bytesWritten) * this.allBytes - this.copyBytes;
    if (needed > free)
      throw new NoRoomError(`about ${gigabytes(needed)} are needed, ${gigabytes(free)} are free`);
  }
}

/**
 * Returns the plain copy of a gzipped archive, `<path>.unpacked`. Makes it if there is none of the archive in its present
 * state, which takes minutes for a large one. Until it is complete, the copy is `<path>.unpacked.part`. Throws
 * `NodeUnavailableError` if it cannot be made here, and `NodeProtocolError` if the archive is damaged.
 */
export const unpackedCopy = async (path: string, options: UnpackOptions): Promise<string> => {
  const { mtime, size } = await stat(path);
  const [copy, part] = [`${path}.unpacked`, `${path}.unpacked.part`];
  const { onStep, signal } = options;
  const told = { archive: path, copy, doneBytes: size, allBytes: size };
  try {
    let claimed: FileHandle | null = null;
    for (let isWaiting = false; ;) {
      const copyBytes = await sizeOfCopy(copy, mtime);
      if (copyBytes !== null) {
        if (claimed !== null) {
          await claimed.close();
          await rm(part, { force: true });
        }
        onStep({ ...told, step: 'reused', copyBytes });
        return copy;
      }
      // Another process may have finished just before the claim: look again.
      if (claimed !== null) break;
      claimed = await claim(part);
      if (claimed !== null) continue;
      if (!isWaiting) onStep({ ...told, step: 'waiting', copyBytes: 0 });
      isWaiting = true;
      await wait(LOOK_MS, undefined, { signal });
    }
    const ours = await claimed.stat();
    try {
      await rm(copy, { force: true });
      await new Unpacking(path, copy, size, options).run(claimed);
      if (!(await isSameFile(part, ours))) throw takenOver(path, part);
      await utimes(part, mtime, mtime);
      await rename(part, copy);
      return copy;
    } catch (error) {
      await claimed.close().catch(() => undefined);
      if (await isSameFile(part, ours)) await rm(part, { force: true });
      throw error;
    }
  } catch (error) {
    throw translated(path, error as NodeJS.ErrnoException);
  }
};
