import { existsSync } from 'node:fs';
import { open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { BlockRef } from '@roundhouse/chain';
import { OperatorError } from '@roundhouse/config';
import { z } from 'zod';

/** Text is handed on in parcels of about this size, each a gzip member of its own: the file can be cut behind any. */
const PARCEL_CHARACTERS = 4 * 1024 * 1024;

const GZIP = { level: 6 };

/** What is whole of an unfinished archive. */
const markSchema = z.object({ height: z.number(), id: z.string(), bytes: z.number() });

type Mark = z.output<typeof markSchema>;

const readMark = async (path: string): Promise<Mark | null> => {
  try {
    return markSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
};

const errorOf = (path: string, error: unknown): OperatorError =>
  new OperatorError(
    `${path} cannot be written (${(error as Error).message}): mend the path, its rights or the room on the disk.`,
    { cause: error },
  );

/**
 * An archive that is being written, as `<path>.part` until it is whole; `<path>.part.json` says how far it may be
 * trusted, so that a process that was ended goes on where the last mark is. Gzipped where the path ends in `.gz`.
 */
export class ArchiveFile {
  private parcel: string[] = [];
  private characters = 0;
  private last: BlockRef | null;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private bytes: number,
    mark: Mark | null,
    private readonly parcelCharacters: number,
  ) {
    this.last = mark;
  }

  /** Goes on with what is there where `isKnown` finds the last block of it good; else begins anew. Throws `OperatorError`. */
  static async open(
    path: string,
    isKnown: (last: BlockRef) => Promise<boolean>,
    parcelCharacters = PARCEL_CHARACTERS,
  ): Promise<ArchiveFile> {
    if (existsSync(path))
      throw new OperatorError(`${path} is there already: name another file, or remove it.`);
    const found = await readMark(`${path}.part.json`);
    const mark = found !== null && existsSync(`${path}.part`) && (await isKnown(found)) ? found : null;
    try {
      const file = await open(`${path}.part`, mark === null ? 'w' : 'r+');
      const bytes = mark?.bytes ?? 0;
      await file.truncate(bytes);
      return new ArchiveFile(path, file, bytes, mark, parcelCharacters);
    } catch (error) {
      throw errorOf(`${path}.part`, error);
    }
  }

  /** The last block that is written; null where there is none. */
  get written(): BlockRef | null {
    return this.last;
  }

  async add(line: string, { height, id }: BlockRef): Promise<void> {
    this.parcel.push(line, '\n');
    this.characters += line.length + 1;
    this.last = { height, id };
    if (this.characters >= this.parcelCharacters) await this.flush();
  }

  /** Writes what is in hand, and that it is there: from here an ended process goes on. */
  async pause(): Promise<void> {
    await this.flush();
    await this.file.close();
  }

  /** Makes it the archive that was wanted. */
  async finish(): Promise<void> {
    await this.pause();
    await rename(`${this.path}.part`, this.path);
    await rm(`${this.path}.part.json`, { force: true });
  }

  /** One call may write less than it is given: a disk that is nearly full does so. */
  private async write(data: Buffer): Promise<void> {
    for (let written = 0; written < data.length;) {
      const { bytesWritten } = await this.file.write(
        data,
        written,
        data.length - written,
        this.bytes + written,
      );
      written += bytesWritten;
    }
  }

  private async flush(): Promise<void> {
    if (this.last === null || this.characters === 0) return;
    const text = Buffer.from(this.parcel.join(''));
    this.parcel = [];
    this.characters = 0;
    try {
      const data = this.path.endsWith('.gz') ? await promisify(gzip)(text, GZIP) : text;
      await this.write(data);
      await this.file.datasync();
      this.bytes += data.length;
      const mark = { height: this.last.height, id: this.last.id, bytes: this.bytes } satisfies Mark;
      await writeFile(`${this.path}.part.json.new`, JSON.stringify(mark));
      await rename(`${this.path}.part.json.new`, `${this.path}.part.json`);
    } catch (error) {
      throw errorOf(`${this.path}.part`, error);
    }
  }
}
