import { writeSync } from 'node:fs';

/** What is kept for a reader that is slow, or a disk that is full. */
const MOST_WAITING_BYTES = 1024 * 1024;

const TRY_AGAIN_MS = 100;

/** How long the end of the process waits for a reader that is slow. */
const LAST_TRIES_MS = 500;

/** Waits, with everything else in this process. */
const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/**
 * Writes lines to a file or pipe and never waits for it: what cannot be written is kept, up to a bound, and tried again;
 * lines beyond that are dropped and counted. The descriptor has to be one that does not block.
 */
export class LineWriter {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private dropped = 0;
  private untold = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param onRecovered told how many lines are missing once lines can be written again */
  constructor(
    private readonly descriptor: number,
    private readonly onRecovered: (missingLines: number) => void,
  ) {}

  /** Since the start. */
  get droppedCount(): number {
    return this.dropped;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.waitingBytes + bytes.length > MOST_WAITING_BYTES) {
      this.dropped += 1;
      this.untold += 1;
      return;
    }
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    // Else the timer tries: a disk that is full is not asked for each line.
    if (this.timer === undefined) this.writeWaiting();
  }

  /** For the end of the process: gives up at once on what does not merely ask for patience. */
  writeLast(): void {
    const until = performance.now() + LAST_TRIES_MS;
    while (this.tryToWrite() === 'EAGAIN' && performance.now() < until) standStill(10);
  }

  private writeWaiting(): void {
    this.timer = undefined;
    if (this.tryToWrite() !== undefined) {
      this.timer = setTimeout(() => this.writeWaiting(), TRY_AGAIN_MS);
      // What cannot be written keeps no process alive.
      this.timer.unref();
    } else if (this.untold > 0) {
      const missing = this.untold;
      this.untold = 0;
      this.onRecovered(missing);
    }
  }

  /** Gives the code of what stands against it, undefined where nothing is left. */
  private tryToWrite(): string | undefined {
    try {
      for (let first = this.waiting[0]; first; first = this.waiting[0]) {
        const written = writeSync(this.descriptor, first);
        this.waitingBytes -= written;
        // The rest of a line that was written in part comes before all else.
        if (written < first.length) this.waiting[0] = first.subarray(written);
        else this.waiting.shift();
      }
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? 'unknown';
    }
  }
}
