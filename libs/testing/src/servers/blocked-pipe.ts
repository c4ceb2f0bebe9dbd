import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(4096, '.');

/** A full pipe that nobody reads, for a program that writes its log to it. */
export class BlockedPipe {
  private readonly folder = mkdtempSync(join(tmpdir(), 'roundhouse-pipe-'));
  private readonly ownEnd: number;
  /** The end of the pipe that the program gets. Writing to it blocks, as with the pipes of a shell. */
  readonly descriptor: number;

  constructor() {
    const path = join(this.folder, 'pipe');
    execFileSync('mkfifo', [path]);
    this.ownEnd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    this.descriptor = openSync(path, 'w');
    while (this.isDone(() => writeSync(this.ownEnd, CHUNK)));
  }

  /** Empties the pipe and returns its content. */
  read(): string {
    const chunks: Buffer[] = [];
    const chunk = Buffer.alloc(CHUNK.length);
    while (this.isDone(() => chunks.push(Buffer.from(chunk.subarray(0, readSync(this.ownEnd, chunk))))));
    return Buffer.concat(chunks).toString();
  }

  close(): void {
    closeSync(this.ownEnd);
    closeSync(this.descriptor);
    rmSync(this.folder, { recursive: true });
  }

  private isDone(use: () => unknown): boolean {
    try {
      use();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
      throw error;
    }
  }
}
