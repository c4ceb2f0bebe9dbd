import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '@roundhouse/config';

export interface FileSum {
  readonly bytes: number;
  readonly sha256: string;
}

export const notWritable = (path: string, error: unknown): OperatorError =>
  new OperatorError(
    `${path} cannot be written (${(error as Error).message}): check the path, its permissions and the disk space. ` +
      `The same command continues.`,
    { cause: error },
  );

/** A file that has its name when it is complete; until then, it is `<path>.part`. Throws `OperatorError`. */
export class ExportedFile {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  static async create(path: string): Promise<ExportedFile> {
    try {
      await mkdir(dirname(path), { recursive: true });
      return new ExportedFile(path, await open(`${path}.part`, 'w'));
    } catch (error) {
      throw notWritable(path, error);
    }
  }

  /** Writes what `fill` passes on. If that throws, there is no file. */
  static async write(
    path: string,
    fill: (add: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<FileSum> {
    const file = await ExportedFile.create(path);
    try {
      await fill((chunk) => file.add(chunk));
      return await file.finish();
    } catch (error) {
      await file.file.close();
      await rm(`${path}.part`, { force: true });
      throw error;
    }
  }

  private async add(chunk: Uint8Array): Promise<void> {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    try {
      await this.file.appendFile(chunk);
    } catch (error) {
      throw notWritable(this.path, error);
    }
  }

  private async finish(): Promise<FileSum> {
    try {
      await this.file.datasync();
      await this.file.close();
      await rename(`${this.path}.part`, this.path);
    } catch (error) {
      throw notWritable(this.path, error);
    }
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}
