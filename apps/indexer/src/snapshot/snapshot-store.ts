import { createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@roundhouse/config';
import { reading } from '../files/access.js';
import { readTarIndex, type TarEntry } from './tar.js';

/** Larger chunks than Node.js's default: each one costs a turn of the event loop. */
export const CHUNK_BYTES = 256 * 1024;

export const COPY_AGAIN = 'Copy it again, and compare its checksums with those that were published.';

/** The files of a snapshot, in a folder or in a tar archive. Their names have `/`. */
export interface SnapshotStore {
  /** In bytes; null if there is no such file. */
  sizeOf(name: string): Promise<number | null>;
  read(name: string): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** Also if it was renamed meanwhile, a file is read from one moment. */
const folderStore = (path: string): SnapshotStore => ({
  sizeOf: async (name) => {
    const found = await stat(join(path, name)).catch(() => null);
    return found?.isFile() === true ? found.size : null;
  },
  read: (name) => createReadStream(join(path, name), { highWaterMark: CHUNK_BYTES }),
  close: () => Promise.resolve(),
});

export const noSnapshot = (path: string): OperatorError =>
  new OperatorError(`${path} is no snapshot of an index: "indexer snapshot create" makes one.`);

const entriesOf = async (path: string, file: FileHandle): Promise<readonly TarEntry[]> => {
  const index = await readTarIndex(file);
  if (index.kind === 'whole') return index.entries;
  if (index.at === 0) throw noSnapshot(path);
  throw new OperatorError(
    index.kind === 'truncated'
      ? `${path} is truncated: it ends at byte ${index.at}, before its manifest is complete. ${COPY_AGAIN}`
      : `${path} is damaged at byte ${index.at}. ${COPY_AGAIN}`,
  );
};

async function* readEntry(path: string, file: FileHandle, { at, size }: TarEntry): AsyncGenerator<Buffer> {
  for (let done = 0; done < size;) {
    const wanted = Math.min(CHUNK_BYTES, size - done);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at + done);
    if (bytesRead === 0)
      throw new OperatorError(`${path} has become shorter while it was read. ${COPY_AGAIN}`);
    yield buffer.subarray(0, bytesRead);
    done += bytesRead;
  }
}

const tarStore = async (path: string, file: FileHandle): Promise<SnapshotStore> => {
  try {
    // A program may begin the names with "./".
    const entries = new Map(
      (await entriesOf(path, file)).map((entry) => [entry.name.replace(/^\.\//, ''), entry]),
    );
    return {
      sizeOf: async (name) => entries.get(name)?.size ?? null,
      read: (name) => readEntry(path, file, entries.get(name)!),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** The files of the snapshot at this path. Throws `OperatorError`. */
export const openStore = async (path: string): Promise<SnapshotStore> => {
  const openFile = async (): Promise<FileHandle | null> => {
    const found = await stat(path);
    if (found.isDirectory()) return null;
    // Opening a pipe waits for its writer.
    if (!found.isFile()) throw new Error('it is neither a folder nor a file');
    return open(path, 'r');
  };
  const file = await reading(path, openFile, 'name the folder or the file of a snapshot.');
  return file === null ? folderStore(path) : tarStore(path, file);
};
