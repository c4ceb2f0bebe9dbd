import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '@roundhouse/config';
import { MANIFEST } from '../files/filled-folder.js';
import { checksumList } from '../files/write-whole.js';
import {
  bytesOf,
  CHECKSUMS,
  parseManifest,
  partsOf,
  SIGNATURE,
  type Manifest,
  type ManifestPart,
} from './manifest.js';
import type { PublicKey } from './minisign.js';
import { checkSignature } from './signing.js';
import { CHUNK_BYTES, COPY_AGAIN, noSnapshot, openStore, type SnapshotStore } from './snapshot-store.js';

/** Larger manifests are not read into memory. */
const MANIFEST_MAX_BYTES = 64 * 1024 * 1024;

/** A snapshot whose manifest has been read. */
export class SnapshotFile {
  private constructor(
    private readonly path: string,
    private readonly store: SnapshotStore,
    readonly manifest: Manifest,
    /** Of its signature, for people; null if it has none. */
    readonly signed: string | null,
  ) {}

  /**
   * Throws `OperatorError` if it cannot be read, is no snapshot, lacks a part, was made by a newer version, or is not
   * signed by the trusted key.
   */
  static async open(path: string, trusted: PublicKey | null = null): Promise<SnapshotFile> {
    const store = await openStore(path);
    try {
      const { manifest, signed } = await readManifest(path, store, trusted);
      const snapshot = new SnapshotFile(path, store, manifest, signed);
      for (const part of partsOf(manifest)) await snapshot.assertThere(part);
      return snapshot;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** The rows of a part, decompressed. Fails at its end if the part has changed since `check`. */
  openPart(part: ManifestPart): Readable {
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
    // An error of the file ends the stream with that error; the caller's pipeline reports it.
    pipeline(Readable.from(this.readPart(part)), gunzip).catch(() => undefined);
    return gunzip;
  }

  /** Compares every part with its checksum. Throws `OperatorError` at the first that is wrong. */
  async check(onBytes: (done: number, of: number) => void): Promise<void> {
    const parts = partsOf(this.manifest);
    const total = bytesOf(parts);
    let done = 0;
    const waiting = parts.values();
    const work = async (): Promise<void> => {
      for (const part of waiting) {
        for await (const chunk of this.readPart(part)) done += chunk.length;
        onBytes(done, total);
      }
    };
    await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
  }

  async close(): Promise<void> {
    await this.store.close();
  }

  /** The bytes of a part; an error follows the last one if they do not have the part's checksum. */
  private async *readPart({ name, sha256 }: ManifestPart): AsyncGenerator<Buffer, void> {
    const hash = createHash('sha256');
    for await (const chunk of this.store.read(name)) {
      hash.update(chunk);
      yield chunk;
    }
    if (hash.digest('hex') === sha256) return;
    throw new OperatorError(
      `${this.path} is damaged: ${name} does not have the checksum that the manifest states. ${COPY_AGAIN}`,
    );
  }

  private async assertThere({ name, bytes }: ManifestPart): Promise<void> {
    if ((await this.store.sizeOf(name)) === bytes) return;
    throw new OperatorError(
      `${this.path} is damaged: ${name} is missing, or is not as long as the manifest states. ${COPY_AGAIN}`,
    );
  }
}

/** Null if there is no such file, or if no snapshot has so large a one. */
const readSmall = async (store: SnapshotStore, name: string): Promise<Buffer | null> => {
  const size = await store.sizeOf(name);
  if (size === null || size > MANIFEST_MAX_BYTES) return null;
  return Buffer.concat(await Readable.from(store.read(name)).toArray());
};

const readManifest = async (
  path: string,
  store: SnapshotStore,
  trusted: PublicKey | null,
): Promise<{ readonly manifest: Manifest; readonly signed: string | null }> => {
  const bytes = await readSmall(store, MANIFEST);
  const [one, all] = CHECKSUMS;
  const checksums = (await readSmall(store, one)) ?? (await readSmall(store, all));
  if (bytes === null || checksums === null) throw noSnapshot(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const [first, ...others] = checksums.toString().trimEnd().split('\n');
  if (first !== `${sha256}  ${MANIFEST}`)
    throw new OperatorError(`${path} is damaged: its manifest does not have its checksum. ${COPY_AGAIN}`);
  const signature = (await readSmall(store, SIGNATURE))?.toString() ?? null;
  const signed = checkSignature(path, bytes, signature, trusted);
  const manifest = parseManifest(bytes.toString());
  if (manifest === null) throw noSnapshot(path);
  if (typeof manifest === 'number') {
    throw new OperatorError(
      `${path} has version ${manifest} of the format, which this program cannot read: use the version of Roundhouse that made it.`,
    );
  }
  const listed = new Set(checksumList(partsOf(manifest)).split('\n'));
  if (!others.every((line) => listed.has(line)))
    throw new OperatorError(`${path} is damaged: its checksums are not those of its manifest. ${COPY_AGAIN}`);
  return { manifest, signed };
};
