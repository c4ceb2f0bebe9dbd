import { openLines, type Lines } from './open-lines.js';

/** Up to this size, lines already passed stay in memory: ranges are requested in any order, but never far apart. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** The distance between remembered places in a plain file. */
const INDEX_STEP_BYTES = 1024 * 1024;

interface Batch {
  readonly first: number;
  readonly lines: readonly Buffer[];
  readonly bytes: number;
}

interface Place {
  readonly line: number;
  readonly offset: number;
}

/**
 * Reads the lines of one archive by number, from 1. Requests in roughly ascending order continue from the current
 * position. A request for a line before the kept ones starts over; in a plain file, from the nearest remembered
 * place.
 */
export class ArchiveLines {
  private readonly kept: Batch[] = [];
  private keptBytes = 0;
  private cursor: Lines | null = null;
  /** The position of the cursor: the number of the next line, and its first byte. */
  private next: Place = { line: 1, offset: 0 };
  private readonly places: Place[] = [{ line: 1, offset: 0 }];
  /** Kept because it is read repeatedly to identify the chain, even when the cursor is far beyond it. */
  private firstLine: Buffer | null = null;

  constructor(
    private readonly path: string,
    private readonly isSeekable: boolean,
    private readonly keptLimit = KEPT_BYTES,
  ) {}

  /** Returns the line's text, or null past the end. */
  async get(line: number): Promise<Buffer | null> {
    const known = line === 1 ? this.firstLine : this.find(line);
    if (known) return known;
    if (this.cursor === null || line < this.next.line) await this.restart(line);
    while (line >= this.next.line) {
      if (!(await this.advance())) return null;
    }
    return this.find(line);
  }

  /** The number of the last line read so far, for messages. */
  get lastLine(): number {
    return this.next.line - 1;
  }

  /** Drops the lines but keeps the places. For a file that grew at its end. */
  async forget(): Promise<void> {
    this.kept.length = 0;
    this.keptBytes = 0;
    await this.cursor?.close();
    this.cursor = null;
  }

  private find(line: number): Buffer | null {
    for (let i = this.kept.length - 1; i >= 0; i -= 1) {
      const batch = this.kept[i]!;
      if (line >= batch.first) return batch.lines[line - batch.first] ?? null;
    }
    return null;
  }

  private async restart(line: number): Promise<void> {
    await this.forget();
    this.next = this.places.findLast((place) => place.line <= line)!;
    this.cursor = await openLines(this.path, this.next.offset);
  }

  private async advance(): Promise<boolean> {
    const lines = await this.cursor!.next().catch(async (error: unknown) => {
      // A stream that has failed would otherwise look like one that has ended.
      await this.forget();
      throw error;
    });
    if (lines === null) return false;
    if (lines.length > 0) this.keep(lines);
    return true;
  }

  private keep(lines: readonly Buffer[]): void {
    // Copy the line: a slice would keep its whole chunk in memory.
    if (this.next.line === 1) this.firstLine = Buffer.from(lines[0]!);
    const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0);
    this.kept.push({ first: this.next.line, lines, bytes });
    this.keptBytes += bytes;
    while (this.keptBytes > this.keptLimit && this.kept.length > 1)
      this.keptBytes -= this.kept.shift()!.bytes;
    this.next = { line: this.next.line + lines.length, offset: this.next.offset + bytes };
    const lastPlace = this.places.at(-1)!;
    if (this.isSeekable && this.next.offset >= lastPlace.offset + INDEX_STEP_BYTES)
      this.places.push(this.next);
  }
}
