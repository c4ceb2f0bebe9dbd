import { existsSync } from 'node:fs';
import { opendir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@roundhouse/config';
import { LOCK_FILES, lockFolder, type FolderLock } from '@roundhouse/local-postgres';
import { reading, writing } from './access.js';
import { PARTIAL, writeTogether } from './write-whole.js';

export const MANIFEST = 'manifest.json';

/** How often it is written down what is complete. */
const NOTE_EVERY_MS = 2_000;

/**
 * A folder that one program at a time fills with files, which a manifest lists; if it is interrupted, the next one goes on with
 * those that are complete.
 */
export abstract class FilledFolder {
  private lock!: FolderLock;
  private notedAt = -Infinity;

  /** `unfinished`: the name of the manifest while files are missing. It lists the complete files. */
  protected constructor(
    readonly path: string,
    private readonly unfinished: string,
  ) {}

  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** Makes the folder if it is missing. Throws `OperatorError`, also if another program writes into it, and what `read` throws. */
  protected async begin(read: () => Promise<void>): Promise<void> {
    this.lock = await writing(this.path, lockFolder);
    try {
      await read();
    } catch (error) {
      this.lock.release();
      throw error;
    }
  }

  /**
   * The manifests that are there: the final one, and the one while files are missing. `parse` returns null for other files. Throws
   * `OperatorError` if there is no manifest, but a file of somebody else. `isBegun` knows the files that an interrupted program leaves.
   */
  protected async readManifests<T>(
    what: string,
    parse: (text: string) => T | null,
    isBegun: (name: string) => boolean = () => false,
  ): Promise<T[]> {
    const found: T[] = [];
    for (const path of [MANIFEST, this.unfinished].map((name) => this.pathOf(name))) {
      if (!existsSync(path)) continue;
      const text = await reading(path, (file) => readFile(file, 'utf8'), 'name another folder.');
      const manifest = parse(text);
      if (manifest !== null) found.push(manifest);
    }
    if (found.length > 0) return found;
    for await (const entry of await opendir(this.path, { recursive: true })) {
      const { name } = entry;
      if (!entry.isFile() || LOCK_FILES.includes(name) || name.endsWith(PARTIAL) || isBegun(name)) continue;
      throw new OperatorError(`${this.path} holds files, but no ${what}: name a new folder or an empty one.`);
    }
    return found;
  }

  /** Writes down what is complete, but not too often: what is not noted is only written again. */
  protected async noteUnfinished(text: () => string): Promise<void> {
    if (performance.now() - this.notedAt < NOTE_EVERY_MS) return;
    this.notedAt = Infinity;
    await this.replace({ [this.unfinished]: text() });
    this.notedAt = performance.now();
  }

  /** Name → text. Readers see the old files until all new ones are on the disk. */
  protected async replace(texts: Readonly<Record<string, string>>): Promise<void> {
    const files = Object.entries(texts).map(([name, text]) => ({ path: this.pathOf(name), text }));
    await writing(this.path, () => writeTogether(files));
  }

  protected async removeUnfinished(): Promise<void> {
    await writing(this.pathOf(this.unfinished), (path) => rm(path, { force: true }));
  }

  /** Lets other programs write into the folder. */
  protected release(): void {
    this.lock.release();
  }
}
