import { writeSync } from 'node:fs';

/** The limit of bytes kept for a slow reader or a full disk. */
const MOST_WAITING_BYTES = 1024 * 1024;

const TRY_AGAIN_MS = 100;

/** How long the process waits for a slow reader when it exits. */
const LAST_TRIES_MS = 500;

/** Blocks the whole thread. */
const sleepSync = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/**
 * Writes lines to a file or pipe without waiting. Lines that cannot be written are kept, up to a limit, and tried
 * again; lines beyond the limit are dropped and counted. The descriptor must be non-blocking.
 */
export class LineWriter {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private dropped = 0;
  private unreported = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param onRecovered called with the number of missing lines once lines can be written again */
  constructor(
    private readonly descriptor: number,
    private readonly onRecovered: (missingLines: number) => void,
  ) {}

  /** The number of lines dropped since the start. */
  get droppedCount(): number {
    return this.dropped;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.waitingBytes + bytes.length > MOST_WAITING_BYTES) {
      this.dropped += 1;
      this.unreported += 1;
      return;
    }
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    // If a timer is set, only the timer tries again: not every line should try to write to a full disk.
    if (this.timer === undefined) this.writeWaiting();
  }

  /**
   * Writes the remaining lines when the process exits. Retries only if the pipe is full, and gives up after half a
   * second. Nothing is tried later, when the descriptor may belong to another file.
   */
  writeLast(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const until = performance.now() + LAST_TRIES_MS;
    while (this.tryToWrite() === 'EAGAIN' && performance.now() < until) sleepSync(10);
  }

  private writeWaiting(): void {
    this.timer = undefined;
    if (this.tryToWrite() !== undefined) {
      this.timer = setTimeout(() => this.writeWaiting(), TRY_AGAIN_MS);
      // Lines that cannot be written do not keep the process alive.
      this.timer.unref();
    } else if (this.unreported > 0) {
      const missing = this.unreported;
      this.unreported = 0;
      this.onRecovered(missing);
    }
  }

  /** Returns the error code; undefined once everything is written. */
  private tryToWrite(): string | undefined {
    try {
      for (let first = this.waiting[0]; first; first = this.waiting[0]) {
        const written = writeSync(this.descriptor, first);
        this.waitingBytes -= written;
        // The rest of a partly written line comes first.
        if (written < first.length) this.waiting[0] = first.subarray(written);
        else this.waiting.shift();
      }
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? 'unknown';
    }
  }
}
