import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { OperatorError } from '@roundhouse/config';
import { z } from 'zod';
import { FilledFolder, MANIFEST } from '../files/filled-folder.js';
import { checksumList, sha256Of } from '../files/write-whole.js';

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

const parse = (text: string) => {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

/** What must not change from one export to the next in the same folder. */
const identityOf = ({ format, version, network, partition }: AboutExport) => ({
  format,
  'version of the format': version,
  chain: network.nethash,
  partition,
});

/** Throws `OperatorError` unless this export continues the other. */
const assertSame = (folder: string, found: AboutExport, about: AboutExport): void => {
  const [theirs, ours] = [identityOf(found), identityOf(about)];
  for (const what of Object.keys(ours) as (keyof typeof ours)[])
    if (theirs[what] !== ours[what])
      throw new OperatorError(
        `${folder} holds an export with another ${what} (${theirs[what]}, not ${ours[what]}): name another folder.`,
      );
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

  /** Does the work of an export, and lets other programs write into the folder then. False if `signal` came first. */
  async fill(signal: AbortSignal, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!signal.aborted) throw error;
      return false;
    } finally {
      if (this.hasNews) await this.replace({ [UNFINISHED]: this.manifestText() });
      this.release();
    }
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
    const manifests = await this.readManifests('export', parse);
    for (const manifest of manifests) {
      assertSame(this.path, manifest, this.about);
      for (const entry of manifest.files) this.entries.set(entry.name, entry);
    }
    for (const entry of this.files) await this.assertThere(entry);
    this.isComplete = existsSync(this.pathOf(MANIFEST));
    if (manifests.length === 0) await this.noteUnfinished(() => this.manifestText());
  }

  private async assertThere({ name, bytes }: ExportedFileEntry): Promise<void> {
    const found = await stat(this.pathOf(name)).catch(() => null);
    if (found?.size === bytes) return;
    throw new OperatorError(
      `${this.pathOf(name)} ${found === null ? 'is missing' : `has ${found.size} bytes, not ${bytes}`}: put it back, or export to another folder.`,
    );
  }
}
