import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { OperatorError } from '@roundhouse/config';
import { checksumList, sha256Of } from '../files/checksum-list.js';
import { PARTIAL, writeTogether } from '../files/write-whole.js';
import { LOCK_FILES, lockFolder, type FolderLock } from '@roundhouse/local-postgres';
import type { SortedRows } from '@roundhouse/storage';
import {
  CHECKSUMS,
  MANIFEST,
  manifestText,
  parseManifest,
  partsOf,
  SIGNATURE,
  type ManifestPart,
  type PartedManifest,
} from './manifest.js';
import { signMessage, type SecretKey } from './minisign.js';
import { checkedBytes } from './snapshot-file.js';
import { CHUNK_BYTES, folderStore } from './snapshot-store.js';

/** Most of the bytes are hashes and signatures, which no level makes smaller. */
const GZIP = { level: 1, chunkSize: CHUNK_BYTES };

/** The manifest of what is complete so far. */
const UNFINISHED = 'unfinished.json';
const PART = '.copy.gz';

/** Whether a file is a part, or was to become one. It may be there before it is written down what is complete. */
const isPart = (name: string): boolean => name.endsWith(PART) || name.endsWith(PARTIAL);

/** How much of a part's checksum its name has, so that a file of one name never changes. */
const NAME_DIGITS = 16;
const HEIGHT_DIGITS = 9;

/** How often it is written down what is complete. */
const NOTE_EVERY_MS = 2_000;

export type NewManifest = Omit<PartedManifest, 'format' | 'version'>;

/** All of a manifest but its tables. */
export type ManifestHead = Omit<NewManifest, 'tables'>;

/** The first and the last height of a part. */
export interface Heights {
  readonly from: number;
  readonly to: number;
}

/** A folder with one snapshot, into which the next one is written. Its files never change, but for the manifest. */
export class SnapshotFolder {
  private notedAt = -Infinity;

  private constructor(
    private readonly path: string,
    private readonly lock: FolderLock,
    /** Of the snapshot that was begun and of the one that is there. */
    readonly before: readonly PartedManifest[],
  ) {}

  /** Makes the folder if it is missing. Throws `OperatorError`, also if another program writes into it. */
  static async open(path: string): Promise<SnapshotFolder> {
    const lock = await writing(path, () => lockFolder(path));
    try {
      const before = [await readManifest(join(path, UNFINISHED)), await readManifest(join(path, MANIFEST))];
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      const files = entries.filter(
        (entry) => entry.isFile() && !LOCK_FILES.includes(entry.name) && !isPart(entry.name),
      );
      if (before.every((manifest) => manifest === null) && files.length > 0)
        throw new OperatorError(`${path} holds files, but no snapshot: name a new folder or an empty one.`);
      return new SnapshotFolder(
        path,
        lock,
        before.filter((manifest) => manifest !== null),
      );
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Whether a part is there, with its checksum. */
  async hasPart(part: ManifestPart): Promise<boolean> {
    const store = folderStore(this.path);
    if ((await store.sizeOf(part.name)) !== part.bytes) return false;
    try {
      // eslint-disable-next-line @typescript-eslint/no-unused-vars -- reading is the check
      for await (const _ of checkedBytes(this.path, store, part));
      return true;
    } catch (error) {
      if (error instanceof OperatorError) return false;
      throw error;
    }
  }

  /** Writes a part of all next rows up to `last`, unless it is there; `heights` is null if the table is written whole. */
  async writePart(
    table: string,
    heights: Heights | null,
    rows: SortedRows,
    last: number,
  ): Promise<ManifestPart> {
    const range = [heights?.from, heights?.to].map((height) => String(height).padStart(HEIGHT_DIGITS, '0'));
    const stem = `${table}/${heights === null ? 'all' : range.join('-')}`;
    const partial = join(this.path, `${stem}${PARTIAL}`);
    const before = rows.taken;
    const hash = createHash('sha256');
    let bytes = 0;
    await writing(this.path, () => mkdir(dirname(partial), { recursive: true }));
    const file = await writing(this.path, () => open(partial, 'w'));
    try {
      await pipeline(
        Readable.from(rows.upTo(last)),
        createGzip(GZIP),
        async (gzipped: AsyncIterable<Buffer>) => {
          for await (const chunk of gzipped) {
            hash.update(chunk);
            await writing(this.path, () => file.writeFile(chunk));
            bytes += chunk.length;
          }
        },
      );
      await writing(this.path, () => file.sync());
    } finally {
      await file.close();
    }
    const sha256 = hash.digest('hex');
    const name = `${stem}-${sha256.slice(0, NAME_DIGITS)}${PART}`;
    const part = { name, ...heights, rows: rows.taken - before, bytes, sha256 };
    if (await this.hasPart(part)) await rm(partial);
    else await rename(partial, join(this.path, name));
    return part;
  }

  /** Writes down, not too often, what is complete: the next run goes on from there. */
  async note(manifest: NewManifest): Promise<void> {
    if (performance.now() - this.notedAt < NOTE_EVERY_MS) return;
    this.notedAt = Infinity;
    await this.replace({ [UNFINISHED]: manifestText(manifest) });
    this.notedAt = performance.now();
  }

  /**
   * Writes the manifest and what belongs to it, of which readers see the old files until all new ones are on the disk. Then
   * removes all parts that it does not name.
   */
  async finish(manifest: NewManifest, key: SecretKey | null): Promise<void> {
    const text = manifestText(manifest);
    const { height, id } = manifest.head;
    const parts = partsOf(manifest);
    const sums = [{ name: MANIFEST, sha256: sha256Of(text) }, ...parts];
    const texts: Record<string, string> = { [MANIFEST]: text, [CHECKSUMS[1]]: checksumList(sums) };
    if (key !== null) {
      const comment = `snapshot of ${manifest.network.nethash} at height ${height}, block ${id}`;
      texts[SIGNATURE] = signMessage(Buffer.from(text), key, comment);
    }
    await this.replace(texts);
    // The signature of another manifest says nothing of this one.
    if (key === null) await rm(join(this.path, SIGNATURE), { force: true });
    await this.removeOthers(new Set(parts.map(({ name }) => name)));
  }

  /** The names of all files of a finished snapshot. */
  names(manifest: NewManifest): string[] {
    const own = [MANIFEST, CHECKSUMS[1], SIGNATURE].filter((name) => existsSync(join(this.path, name)));
    return [...own, ...partsOf(manifest).map(({ name }) => name)];
  }

  /** Throws `OperatorError` unless the snapshots here are of this chain. */
  assertSameChain({ name, nethash }: NewManifest['network']): void {
    const other = this.before.find(({ network }) => network.nethash !== nethash)?.network;
    if (other === undefined) return;
    throw new OperatorError(
      `${this.path} has a snapshot of the chain ${other.name} with nethash ${other.nethash}, but the index is of ${name} with nethash ` +
        `${nethash}: name another folder.`,
    );
  }

  async close(): Promise<void> {
    this.lock.release();
    // Fails unless nothing was written.
    await rmdir(this.path).catch(() => undefined);
  }

  private async removeOthers(kept: ReadonlySet<string>): Promise<void> {
    await rm(join(this.path, UNFINISHED), { force: true });
    for (const file of await readdir(this.path, { recursive: true }))
      if (isPart(file) && !kept.has(file)) await rm(join(this.path, file));
  }

  /** Name → text. */
  private async replace(texts: Readonly<Record<string, string>>): Promise<void> {
    const files = Object.entries(texts).map(([name, text]) => ({ path: join(this.path, name), text }));
    await writing(this.path, () => writeTogether(files));
  }
}

/** Null if there is none, or one of another form. */
const readManifest = async (path: string): Promise<PartedManifest | null> => {
  if (!existsSync(path)) return null;
  const manifest = parseManifest(await readFile(path, 'utf8'));
  return manifest !== null && typeof manifest !== 'number' && manifest.version === 2 ? manifest : null;
};

const writing = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw new OperatorError(
      `${path} cannot be written (${(error as Error).message}): check the path, its permissions and the disk space.`,
      { cause: error },
    );
  }
};
