import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@roundhouse/config';
import { LOCK_FILES, lockFolder, type FolderLock } from '@roundhouse/local-postgres';
import { z } from 'zod';
import { checksumList, sha256Of } from '../files/checksum-list.js';
import { PARTIAL, writeWhole } from '../files/write-whole.js';
import { notWritable } from './exported-file.js';

const MANIFEST = 'manifest.json';
const SUMS = 'SHA256SUMS';
/** A line for each file that is complete, until the manifest has them all. */
const JOURNAL = `${MANIFEST}.part`;

const aboutSchema = z.object({
  format: z.enum(['roundhouse parquet', 'roundhouse core']),
  /** Grows when the same chain gives other bytes. */
  version: z.int(),
  network: z.object({ name: z.string(), nethash: z.string() }),
  partition: z.enum(['day', 'heights']).nullable(),
});

const fileSchema = z.object({
  /** Its path in the folder. */
  name: z.string(),
  /** The heights of its blocks; both are the same if it holds the state after one block. */
  first: z.int(),
  last: z.int(),
  /** The id of the last block. */
  id: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
});

const manifestSchema = z.object({
  ...aboutSchema.shape,
  /** The columns of each table. */
  tables: z.record(z.string(), z.array(z.string())),
  files: z.array(fileSchema),
});

/** What an export tells the operator. */
export interface Outcome {
  /** False if it was stopped. */
  readonly isWhole: boolean;
  readonly message: string;
}

export type AboutExport = z.output<typeof aboutSchema>;
export type ExportedFileEntry = z.output<typeof fileSchema>;

const contentOf = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`${path} cannot be read (${(error as Error).message}): name another folder.`, {
      cause: error,
    });
  }
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Throws `OperatorError` if that fails. */
const writing = async <T>(path: string, write: (path: string) => Promise<T>): Promise<T> => {
  try {
    return await write(path);
  } catch (error) {
    throw notWritable(path, error);
  }
};

/** Throws `OperatorError` unless this export continues the other. */
const assertSame = (folder: string, found: AboutExport, about: AboutExport): void => {
  const differs = (what: string, theirs: string, ours: string): OperatorError =>
    new OperatorError(
      `${folder} holds an export with another ${what} (${theirs}, not ${ours}): name another folder.`,
    );
  const [{ network: theirs }, { network: ours }] = [found, about];
  if (found.format !== about.format) throw differs('format', found.format, about.format);
  if (found.version !== about.version)
    throw differs('version of the format', String(found.version), String(about.version));
  if (theirs.nethash !== ours.nethash)
    throw differs('chain', `${theirs.name}, ${theirs.nethash}`, `${ours.name}, ${ours.nethash}`);
  if (found.partition !== about.partition)
    throw differs('partition', String(found.partition), String(about.partition));
};

/**
 * The folder of an export. Each file is noted when it is complete, so the next process continues from there; the manifest
 * and its checksums are written last.
 */
export class ExportFolder {
  private readonly entries = new Map<string, ExportedFileEntry>();
  /** Whether it has a manifest. */
  isComplete = false;

  private constructor(
    readonly path: string,
    private readonly lock: FolderLock,
    private readonly about: AboutExport,
    private readonly tables: Readonly<Record<string, string[]>>,
  ) {}

  /**
   * Throws `OperatorError` if the folder holds anything but an export like this, cannot be written, or another program
   * writes into it. Call `close` at the end.
   */
  static async open(
    path: string,
    about: AboutExport,
    tables: Readonly<Record<string, string[]>>,
  ): Promise<ExportFolder> {
    const lock = await writing(path, lockFolder);
    try {
      const folder = new ExportFolder(path, lock, about, tables);
      await folder.read();
      return folder;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Lets other programs write into the folder. */
  close(): void {
    this.lock.release();
  }

  /** By name. */
  get files(): readonly ExportedFileEntry[] {
    return [...this.entries.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  find(name: string): ExportedFileEntry | undefined {
    return this.entries.get(name);
  }

  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** Notes a file that is complete. */
  async add(entry: ExportedFileEntry): Promise<void> {
    // In the order of the schema: so the manifest is the same if a later process reads the entry.
    const noted = fileSchema.parse(entry);
    this.entries.set(noted.name, noted);
    await writing(this.pathOf(JOURNAL), (path) => appendFile(path, `${JSON.stringify(noted)}\n`));
  }

  /** Writes the manifest, and the checksums as `sha256sum -c` reads them. */
  async finish(): Promise<void> {
    const { files } = this;
    const manifest = { ...this.about, tables: this.tables, files };
    const text = `${JSON.stringify(manifest, null, 1)}\n`;
    await this.replace(MANIFEST, text);
    await this.replace(SUMS, checksumList([...files, { name: MANIFEST, sha256: sha256Of(text) }]));
    await writing(this.pathOf(JOURNAL), (path) => rm(path, { force: true }));
  }

  /** Writes a file that belongs to the folder but holds no rows. */
  async replace(name: string, text: string): Promise<void> {
    await writing(this.pathOf(name), (path) => writeWhole(path, text));
  }

  private async read(): Promise<void> {
    const manifest = await contentOf(this.pathOf(MANIFEST));
    const journal = await contentOf(this.pathOf(JOURNAL));
    if (manifest !== null) this.readManifest(manifest);
    const noted = journal === null ? [] : this.readJournal(journal);
    if (manifest === null && journal === null) await this.assertEmpty();
    for (const entry of this.files) await this.assertThere(entry);
    const lines = [this.about, ...noted].map((line) => `${JSON.stringify(line)}\n`);
    await this.replace(JOURNAL, lines.join(''));
  }

  private readManifest(text: string): void {
    const { data } = manifestSchema.safeParse(jsonOf(text));
    if (data === undefined) throw this.isForeign();
    assertSame(this.path, data, this.about);
    this.isComplete = true;
    for (const entry of data.files) this.entries.set(entry.name, entry);
  }

  /** A line that was not written to its end counts for nothing. */
  private readJournal(text: string): ExportedFileEntry[] {
    const [first, ...lines] = text.split('\n').map(jsonOf);
    const { data } = aboutSchema.safeParse(first);
    if (data === undefined) throw this.isForeign();
    assertSame(this.path, data, this.about);
    const noted = lines.flatMap((line) => fileSchema.safeParse(line).data ?? []);
    for (const entry of noted) this.entries.set(entry.name, entry);
    return noted;
  }

  private async assertEmpty(): Promise<void> {
    // A process that was killed before it noted anything leaves no more than this.
    const begun = [`${JOURNAL}${PARTIAL}`, ...LOCK_FILES];
    if ((await readdir(this.path)).some((name) => !begun.includes(name))) throw this.isForeign();
  }

  private async assertThere({ name, bytes }: ExportedFileEntry): Promise<void> {
    const size = await stat(this.pathOf(name)).then(
      (found) => found.size,
      () => null,
    );
    if (size === bytes) return;
    throw new OperatorError(
      `${this.pathOf(name)} ${size === null ? 'is missing' : `has ${size} bytes, not ${bytes}`}: put it back, or export to another folder.`,
    );
  }

  private isForeign(): OperatorError {
    return new OperatorError(`${this.path} holds something else: name an empty folder, or one of an export.`);
  }
}
