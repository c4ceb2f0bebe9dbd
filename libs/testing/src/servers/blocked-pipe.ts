import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(4096, '.');

/** A pipe that is full, and that nobody reads: for a program that writes its log to it. */
export class BlockedPipe {
  private readonly folder = mkdtempSync(join(tmpdir(), 'roundhouse-pipe-'));
  private readonly ownEnd: number;
  /** What the program is given. Blocks, as the pipes of a shell do. */
  readonly descriptor: number;

  constructor() {
    const path = join(this.folder, 'pipe');
    execFileSync('mkfifo', [path]);
    this.ownEnd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    this.descriptor = openSync(path, 'w');
    while (this.isDone(() => writeSync(this.ownEnd, CHUNK)));
  }

  /** Takes what is in the pipe. */
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
