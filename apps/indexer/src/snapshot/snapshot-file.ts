import { createHash } from 'node:crypto';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '@roundhouse/config';
import { MANIFEST, MANIFEST_CHECKSUM, parseManifest, type Manifest, type ManifestPart } from './manifest.js';
import { readTarIndex, type TarEntry } from './tar.js';

/** Larger chunks than Node.js's default: each one costs a turn of the event loop. */
export const CHUNK_BYTES = 256 * 1024;

/** Larger manifests are not read into memory. */
const MANIFEST_MAX_BYTES = 64 * 1024 * 1024;

const COPY_AGAIN = 'Copy the file again, and compare its checksum with the one that was published.';

/** A snapshot whose manifest has been read. */
export class SnapshotFile {
  private readonly entries: ReadonlyMap<string, TarEntry>;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    entries: readonly TarEntry[],
    readonly manifest: Manifest,
  ) {
    this.entries = new Map(entries.map((entry) => [entry.name, entry]));
  }

  /** Throws `OperatorError` if the file cannot be read, is no snapshot, is truncated, or was made by a newer version. */
  static async open(path: string): Promise<SnapshotFile> {
    let file: FileHandle;
    try {
      // Reading a folder fails later, and opening a pipe waits for its writer.
      if (!(await stat(path)).isFile()) throw new Error('it is no file');
      file = await open(path, 'r');
    } catch (error) {
      throw new OperatorError(
        `${path} cannot be read (${(error as Error).message}): name the file of a snapshot.`,
        { cause: error },
      );
    }
    try {
      const entries = await entriesOf(path, file);
      const manifest = await readManifest(path, file, entries);
      const snapshot = new SnapshotFile(path, file, entries, manifest);
      for (const part of snapshot.parts) snapshot.entryOf(part);
      return snapshot;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** All parts of all tables. */
  get parts(): ManifestPart[] {
    return this.manifest.tables.flatMap(({ parts }) => parts);
  }

  /** The rows of a part, decompressed. */
  openPart(part: ManifestPart): Readable {
    const { at, size } = this.entryOf(part);
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
    // An error of the file ends the stream with that error; the caller's pipeline reports it.
    pipeline(Readable.from(this.read(at, size)), gunzip).catch(() => undefined);
    return gunzip;
  }

  /** Compares every part with its checksum. Throws `OperatorError` at the first that is wrong. */
  async check(onBytes: (done: number, of: number) => void): Promise<void> {
    const parts = this.parts;
    const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    const waiting = parts.values();
    const work = async (): Promise<void> => {
      for (const part of waiting) {
        await this.checkPart(part);
        done += part.bytes;
        onBytes(done, total);
      }
    };
    await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async checkPart(part: ManifestPart): Promise<void> {
    const { at, size } = this.entryOf(part);
    const hash = createHash('sha256');
    for await (const chunk of this.read(at, size)) hash.update(chunk);
    if (hash.digest('hex') === part.sha256) return;
    throw new OperatorError(
      `${this.path} is damaged: ${part.name} does not have the checksum that the manifest states. ${COPY_AGAIN}`,
    );
  }

  private entryOf({ name, bytes }: ManifestPart): TarEntry {
    const entry = this.entries.get(name);
    if (entry?.size === bytes) return entry;
    throw new OperatorError(
      `${this.path} is damaged: ${name} is missing, or is not as long as the manifest states. ${COPY_AGAIN}`,
    );
  }

  private async *read(at: number, size: number): AsyncGenerator<Buffer, void> {
    for (let done = 0; done < size;) {
      const wanted = Math.min(CHUNK_BYTES, size - done);
      const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(wanted), 0, wanted, at + done);
      if (bytesRead === 0)
        throw new OperatorError(`${this.path} has become shorter while it was read. ${COPY_AGAIN}`);
      yield buffer.subarray(0, bytesRead);
      done += bytesRead;
    }
  }
}

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

const noSnapshot = (path: string): OperatorError =>
  new OperatorError(`${path} is no snapshot of an index: "indexer snapshot create" makes one.`);

const readManifest = async (
  path: string,
  file: FileHandle,
  entries: readonly TarEntry[],
): Promise<Manifest> => {
  const textOf = async (name: string): Promise<string> => {
    const entry = entries.find((each) => each.name === name);
    if (entry === undefined || entry.size > MANIFEST_MAX_BYTES) throw noSnapshot(path);
    const { buffer } = await file.read(Buffer.alloc(entry.size), 0, entry.size, entry.at);
    return buffer.toString();
  };
  const text = await textOf(MANIFEST);
  const sha256 = createHash('sha256').update(text).digest('hex');
  if ((await textOf(MANIFEST_CHECKSUM)).trimEnd() !== `${sha256}  ${MANIFEST}`) {
    throw new OperatorError(`${path} is damaged: its manifest does not have its checksum. ${COPY_AGAIN}`);
  }
  const manifest = parseManifest(text);
  if (manifest === null) throw noSnapshot(path);
  if (typeof manifest === 'number') {
    throw new OperatorError(
      `${path} has version ${manifest} of the format, which this program cannot read: use the version of Roundhouse that made it.`,
    );
  }
  return manifest;
};
