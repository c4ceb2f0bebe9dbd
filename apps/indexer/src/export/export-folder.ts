import { readdir, readFile, stat } from 'node:fs/promises';
import { OperatorError } from '@roundhouse/config';
import { LOCK_FILES } from '@roundhouse/local-postgres';
import { z } from 'zod';
import { FilledFolder } from '../files/filled-folder.js';
import { checksumList, PARTIAL, sha256Of } from '../files/write-whole.js';

const MANIFEST = 'manifest.json';
const SUMS = 'SHA256SUMS';
/** The manifest of the files that are complete, until all are. */
const UNFINISHED = `${MANIFEST}.part`;

const aboutSchema = z.object({
  format: z.enum(['roundhouse parquet', 'roundhouse core']),
  /** Grows when the same chain gives other bytes. */
  version: z.int(),
  network: z.object({ name: z.string(), nethash: z.string() }),
  partition: z.enum(['day', 'heights']).nullable(),
  /** The columns of each table. */
  tables: z.record(z.string(), z.array(z.string())),
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

const manifestSchema = aboutSchema.extend({ files: z.array(fileSchema) });

/** What an export tells the operator. */
export interface Outcome {
  /** False if it was stopped. */
  readonly isWhole: boolean;
  readonly message: string;
}

export type AboutExport = z.output<typeof aboutSchema>;
export type ExportedFileEntry = z.output<typeof fileSchema>;

/** Null if there is no such file; undefined if it holds no JSON. */
const readJson = async (path: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`${path} cannot be read (${(error as Error).message}): name another folder.`, {
      cause: error,
    });
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

/** The folder of an export. The manifest and its checksums are written last. */
export class ExportFolder extends FilledFolder {
  private readonly entries = new Map<string, ExportedFileEntry>();
  /** Whether there are files that the manifest does not have. */
  private hasNews = false;
  /** Whether it has a manifest. */
  isComplete = false;

  private constructor(
    path: string,
    private readonly about: AboutExport,
  ) {
    super(path, UNFINISHED);
  }

  /**
   * Throws `OperatorError` if the folder holds anything but an export like this, cannot be written, or another program
   * writes into it. Call `fill` then.
   */
  static async open(path: string, about: AboutExport): Promise<ExportFolder> {
    const folder = new ExportFolder(path, about);
    await folder.begin(() => folder.read());
    return folder;
  }

  /** Does the work of an export, unless `signal` comes first, and lets other programs write into the folder then. */
  async fill(
    signal: AbortSignal,
    work: () => Promise<void>,
    messageOf: (isWhole: boolean) => string,
  ): Promise<Outcome> {
    let isWhole = true;
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) throw error;
      isWhole = false;
    } finally {
      if (this.hasNews) await this.replace({ [UNFINISHED]: this.manifestText() });
      this.release();
    }
    return { isWhole, message: messageOf(isWhole) };
  }

  /** By name. */
  get files(): readonly ExportedFileEntry[] {
    return [...this.entries.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  find(name: string): ExportedFileEntry | undefined {
    return this.entries.get(name);
  }

  /** Leaves out all files but those of the state after this block: others will be written in their places. */
  async keepOnly(id: string): Promise<void> {
    for (const entry of this.files) if (entry.id !== id) this.entries.delete(entry.name);
    await this.replace({ [UNFINISHED]: this.manifestText() });
  }

  /** Notes a file that is complete. */
  async add(entry: ExportedFileEntry): Promise<void> {
    // In the order of the schema: so the manifest is the same if a later process reads the entry.
    this.entries.set(entry.name, fileSchema.parse(entry));
    this.hasNews = true;
    await this.noteUnfinished(() => this.manifestText());
  }

  /** Writes the manifest, and the checksums as `sha256sum -c` reads them; `others` belong to the folder, but hold no rows. */
  async finish(others: Readonly<Record<string, string>> = {}): Promise<void> {
    const text = this.manifestText();
    const sums = checksumList([...this.files, { name: MANIFEST, sha256: sha256Of(text) }]);
    await this.replace({ ...others, [MANIFEST]: text, [SUMS]: sums });
    this.hasNews = false;
    await this.removeUnfinished();
  }

  private manifestText(): string {
    return `${JSON.stringify({ ...this.about, files: this.files }, null, 1)}\n`;
  }

  private async read(): Promise<void> {
    const found = [await readJson(this.pathOf(MANIFEST)), await readJson(this.pathOf(UNFINISHED))];
    this.isComplete = found[0] !== null;
    const manifests = found.filter((manifest) => manifest !== null);
    for (const manifest of manifests) this.goOnWith(manifest);
    for (const entry of this.files) await this.assertThere(entry);
    if (manifests.length > 0) return;
    await this.assertEmpty();
    await this.noteUnfinished(() => this.manifestText());
  }

  private goOnWith(manifest: unknown): void {
    const { data } = manifestSchema.safeParse(manifest);
    if (data === undefined) throw this.isForeign();
    assertSame(this.path, data, this.about);
    for (const entry of data.files) this.entries.set(entry.name, entry);
  }

  private async assertEmpty(): Promise<void> {
    // A process that was killed before it noted anything leaves no more than this.
    const begun = [`${UNFINISHED}${PARTIAL}`, ...LOCK_FILES];
    if ((await readdir(this.path)).some((name) => !begun.includes(name))) throw this.isForeign();
  }

  private async assertThere({ name, bytes }: ExportedFileEntry): Promise<void> {
    const found = await stat(this.pathOf(name)).catch(() => null);
    if (found?.size === bytes) return;
    throw new OperatorError(
      `${this.pathOf(name)} ${found === null ? 'is missing' : `has ${found.size} bytes, not ${bytes}`}: put it back, or export to another folder.`,
    );
  }

  private isForeign(): OperatorError {
    return new OperatorError(`${this.path} holds something else: name an empty folder, or one of an export.`);
  }
}
