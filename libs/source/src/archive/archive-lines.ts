import { refuseIfDamaged } from './decode-line.js';
import { START, type Place } from './gzip-member.js';
import { openLines, type Lines } from './open-lines.js';

/** Up to this size, lines already passed stay in memory: ranges are requested in any order, but never far apart. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** A line so far ahead is looked for; nearer ones are reached by reading on. */
const FAR_LINES = 1_000;

interface Batch {
  readonly first: number;
  readonly lines: readonly Buffer[];
  readonly bytes: number;
}

/**
 * Reads the lines of one archive by number, from 1. Requests in roughly ascending order continue from the current
 * position. Others begin at the place that `placeOf` finds: at or below the line.
 */
export class ArchiveLines {
  private readonly kept: Batch[] = [];
  private keptBytes = 0;
  private cursor: Lines | null = null;
  /** The number of the line that the cursor reads next. */
  private next = START.line;
  /** Kept because it is read repeatedly to identify the chain, even when the cursor is far beyond it. */
  private firstLine: Buffer | null = null;

  constructor(
    private readonly path: string,
    private readonly placeOf: (line: number) => Promise<Place>,
    private readonly keptLimit = KEPT_BYTES,
  ) {}

  /** Returns the line's text, or null past the end. */
  async get(line: number): Promise<Buffer | null> {
    const known = line === START.line ? this.firstLine : this.find(line);
    if (known) return known;
    await this.approach(line);
    while (line >= this.next) {
      if (!(await this.advance())) return null;
    }
    return this.find(line);
  }

  async close(): Promise<void> {
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

  /** Moves the cursor, unless reading on is as good. */
  private async approach(line: number): Promise<void> {
    const isAhead = this.cursor !== null && line >= this.next;
    if (isAhead && line - this.next < FAR_LINES) return;
    const place = await this.placeOf(line);
    if (isAhead && place.line <= this.next) return;
    await this.close();
    this.next = place.line;
    this.cursor = await openLines(this.path, place.offset);
  }

  private async advance(): Promise<boolean> {
    const lines = await this.cursor!.next().catch(async (error: unknown) => {
      // A stream that has failed would otherwise look like one that has ended.
      await this.close();
      throw refuseIfDamaged(this.path, this.next, error as Error);
    });
    if (lines === null) return false;
    if (lines.length > 0) this.keep(lines);
    return true;
  }

  private keep(lines: readonly Buffer[]): void {
    // Copy the line: a slice would keep its whole chunk in memory.
    if (this.next === START.line) this.firstLine = Buffer.from(lines[0]!);
    const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0);
    this.kept.push({ first: this.next, lines, bytes });
    this.keptBytes += bytes;
    while (this.keptBytes > this.keptLimit && this.kept.length > 1)
      this.keptBytes -= this.kept.shift()!.bytes;
    this.next += lines.length;
  }
}
