import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { OperatorError } from '@roundhouse/config';
import { MANIFEST, MANIFEST_CHECKSUM, manifestText, type Manifest } from './manifest.js';
import { TAR_END, tarEntry } from './tar.js';

/** A snapshot that is being written, as `<path>.part` until it is complete. */
export class SnapshotWriter {
  private bytes = 0;
  /** One part after the other. */
  private written: Promise<void> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** Throws `OperatorError`. */
  static async open(path: string): Promise<SnapshotWriter> {
    if (existsSync(path))
      throw new OperatorError(`${path} is there already: name another file, or remove it.`);
    try {
      return new SnapshotWriter(path, await open(`${path}.part`, 'w'));
    } catch (error) {
      throw errorOf(path, error);
    }
  }

  /** Adds a file; any number of calls may wait at the same time. Throws `OperatorError`. */
  add(name: string, chunks: readonly Buffer[]): Promise<void> {
    this.written = this.written.then(() => this.write(tarEntry(name, chunks)));
    return this.written;
  }

  /** Adds the manifest and gives the file its final name; returns its size. */
  async finish(manifest: Omit<Manifest, 'format' | 'version'>): Promise<number> {
    const text = manifestText(manifest);
    const sha256 = createHash('sha256').update(text).digest('hex');
    await this.add(MANIFEST, [Buffer.from(text)]);
    await this.add(MANIFEST_CHECKSUM, [Buffer.from(`${sha256}  ${MANIFEST}\n`)]);
    await this.write([TAR_END]);
    try {
      await this.file.sync();
      await this.file.close();
      await rename(`${this.path}.part`, this.path);
    } catch (error) {
      throw errorOf(this.path, error);
    }
    return this.bytes;
  }

  /** Removes the unfinished file. */
  async drop(): Promise<void> {
    await this.written.catch(() => undefined);
    await this.file.close().catch(() => undefined);
    await rm(`${this.path}.part`, { force: true });
  }

  private async write(chunks: readonly Buffer[]): Promise<void> {
    try {
      for (const chunk of chunks) {
        // One call may write less than it is given, for instance if the disk is nearly full.
        for (let done = 0; done < chunk.length;) {
          const { bytesWritten } = await this.file.write(chunk, done, chunk.length - done, this.bytes);
          done += bytesWritten;
          this.bytes += bytesWritten;
        }
      }
    } catch (error) {
      throw errorOf(this.path, error);
    }
  }
}

const errorOf = (path: string, error: unknown): OperatorError =>
  new OperatorError(
    `${path}.part cannot be written (${(error as Error).message}): check the path, its permissions and the disk space.`,
    { cause: error },
  );
