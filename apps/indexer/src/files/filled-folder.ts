import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder, type FolderLock } from '@roundhouse/local-postgres';
import { writeTogether, writing } from './write-whole.js';

/** How often it is written down what is complete. */
const NOTE_EVERY_MS = 2_000;

/** A folder that one program at a time fills with files; if it is interrupted, the next one goes on with those that are complete. */
export abstract class FilledFolder {
  private lock!: FolderLock;
  private notedAt = -Infinity;

  /** `unfinished` is the name of the file that says what is complete. */
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
