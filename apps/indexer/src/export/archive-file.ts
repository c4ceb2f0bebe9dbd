import { existsSync } from 'node:fs';
import { open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import type { BlockRef } from '@roundhouse/chain';
import { OperatorError } from '@roundhouse/config';
import { gzipMember } from '@roundhouse/source';
import { z } from 'zod';
import { writing } from '../files/access.js';
import { writeWhole } from '../files/write-whole.js';

/**
 * Text is written in parcels of about this size, each a gzip member: an export can continue after any of them, and a
 * reader can begin with any of them.
 */
const PARCEL_CHARACTERS = 4 * 1024 * 1024;

/** How much of an unfinished archive is complete. */
const markSchema = z.object({ height: z.number(), id: z.string(), bytes: z.number() });

type Mark = z.output<typeof markSchema>;

const readMark = async (path: string): Promise<Mark | null> => {
  try {
    return markSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
};

/**
 * An archive that is being written, as `<path>.part` until it is complete. `<path>.part.json` marks how much of it is
 * complete, so that the next process continues from there. Gzipped if the path ends in `.gz`.
 */
export class ArchiveFile {
  private parcel: string[] = [];
  private characters = 0;
  private last: BlockRef | null;
  /** The line with which the next parcel begins. */
  private nextLine: number;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private bytes: number,
    mark: Mark | null,
    private readonly parcelCharacters: number,
  ) {
    this.last = mark;
    this.nextLine = (mark?.height ?? 0) + 1;
  }

  /** Continues an unfinished file if `isKnown` accepts its last block; otherwise starts it again. Throws `OperatorError`. */
  static async open(
    path: string,
    isKnown: (last: BlockRef) => Promise<boolean>,
    parcelCharacters = PARCEL_CHARACTERS,
  ): Promise<ArchiveFile> {
    if (existsSync(path))
      throw new OperatorError(`${path} is there already: name another file, or remove it.`);
    const found = await readMark(`${path}.part.json`);
    const mark = found !== null && existsSync(`${path}.part`) && (await isKnown(found)) ? found : null;
    return writing(`${path}.part`, async (part) => {
      const file = await open(part, 'a');
      const bytes = mark?.bytes ?? 0;
      await file.truncate(bytes);
      return new ArchiveFile(path, file, bytes, mark, parcelCharacters);
    });
  }

  /** The last block that is written; null if there is none. */
  get written(): BlockRef | null {
    return this.last;
  }

  async add(line: string, { height, id }: BlockRef): Promise<void> {
    this.parcel.push(line, '\n');
    this.characters += line.length + 1;
    this.last = { height, id };
    if (this.characters >= this.parcelCharacters) await this.flush();
  }

  /** Writes the rest and marks it: the next process continues from here. */
  async pause(): Promise<void> {
    await this.flush();
    await this.file.close();
  }

  /** Gives the complete file its final name. */
  async finish(): Promise<void> {
    await this.pause();
    await rename(`${this.path}.part`, this.path);
    await rm(`${this.path}.part.json`, { force: true });
  }

  private async flush(): Promise<void> {
    const { last } = this;
    if (last === null || this.characters === 0) return;
    const text = Buffer.from(this.parcel.join(''));
    this.parcel = [];
    this.characters = 0;
    await writing(`${this.path}.part`, async (part) => {
      const place = { line: this.nextLine, offset: this.bytes };
      const data = this.path.endsWith('.gz') ? await gzipMember(text, place) : text;
      await this.file.appendFile(data);
      await this.file.datasync();
      this.bytes += data.length;
      this.nextLine = last.height + 1;
      await writeWhole(`${part}.json`, JSON.stringify({ ...last, bytes: this.bytes } satisfies Mark));
    });
  }
}
