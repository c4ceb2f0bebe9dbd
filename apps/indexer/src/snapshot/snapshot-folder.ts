import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { OperatorError } from '@roundhouse/config';
import { FilledFolder, MANIFEST } from '../files/filled-folder.js';
import { checksumList, PARTIAL, sha256Of, writeHashed } from '../files/write-whole.js';
import type { SortedRows } from '@roundhouse/storage';
import {
  CHECKSUMS,
  manifestText,
  parseManifest,
  partsOf,
  SIGNATURE,
  type ManifestPart,
  type PartedManifest,
} from './manifest.js';
import { signMessage, type SecretKey } from './minisign.js';
import { CHUNK_BYTES } from './snapshot-store.js';

/** Most of the bytes are hashes and signatures, which no level makes smaller. */
const GZIP = { level: 1, chunkSize: CHUNK_BYTES };

/** The manifest of what is complete so far. */
const UNFINISHED = 'unfinished.json';
const PART = '.copy.gz';

/** Whether a file is a part, or was to become one. It may be there before it is written down what is complete. */
const isPart = (name: string): boolean => name.endsWith(PART) || name.endsWith(PARTIAL);

/** Null if it is no manifest, or one of another version. */
const parse = (text: string): PartedManifest | null => {
  const manifest = parseManifest(text);
  return manifest !== null && typeof manifest !== 'number' && manifest.version === 2 ? manifest : null;
};

/** How much of a part's checksum its name has, so that a file of one name never changes. */
const NAME_DIGITS = 16;
const HEIGHT_DIGITS = 9;

export type NewManifest = Omit<PartedManifest, 'format' | 'version'>;

/** All of a manifest but its tables. */
export type ManifestHead = Omit<NewManifest, 'tables'>;

/** The first and the last height of a part. */
export interface Heights {
  readonly from: number;
  readonly to: number;
}

/** A folder with one snapshot, into which the next one is written. Its files never change, but for the manifest. */
export class SnapshotFolder extends FilledFolder {
  /** Of the snapshot that is there and of the one that was begun. */
  before: readonly PartedManifest[] = [];

  /** Makes the folder if it is missing. Throws `OperatorError`, also if another program writes into it. */
  static async open(path: string): Promise<SnapshotFolder> {
    const folder = new SnapshotFolder(path, UNFINISHED);
    await folder.begin(() => folder.read());
    return folder;
  }

  /** Whether a part is there, with its checksum. */
  async hasPart({ name, bytes, sha256 }: ManifestPart): Promise<boolean> {
    const path = this.pathOf(name);
    if ((await stat(path).catch(() => null))?.size !== bytes) return false;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }))
      hash.update(chunk as Buffer);
    return hash.digest('hex') === sha256;
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
    const partial = this.pathOf(`${stem}${PARTIAL}`);
    const before = rows.taken;
    const sum = await writeHashed(partial, (add) =>
      pipeline(Readable.from(rows.upTo(last)), createGzip(GZIP), async (gzipped: AsyncIterable<Buffer>) => {
        for await (const chunk of gzipped) await add(chunk);
      }),
    );
    const name = `${stem}-${sum.sha256.slice(0, NAME_DIGITS)}${PART}`;
    const part = { name, ...heights, rows: rows.taken - before, ...sum };
    if (await this.hasPart(part)) await rm(partial);
    else await rename(partial, this.pathOf(name));
    return part;
  }

  /** Writes down what is complete: the next run goes on from there. */
  async note(manifest: NewManifest): Promise<void> {
    await this.noteUnfinished(() => manifestText(manifest));
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
    if (key === null) await rm(this.pathOf(SIGNATURE), { force: true });
    await this.removeUnfinished();
    const names = new Set(parts.map(({ name }) => name));
    for (const file of await readdir(this.path, { recursive: true }))
      if (isPart(file) && !names.has(file)) await rm(this.pathOf(file));
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
    this.release();
    // Fails unless nothing was written.
    await rmdir(this.path).catch(() => undefined);
  }

  private async read(): Promise<void> {
    this.before = await this.readManifests('snapshot', parse, isPart);
  }
}
