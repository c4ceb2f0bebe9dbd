import { isBlank, START, type ArchiveFile, type Run } from './archive-file.js';

/** Up to this size, lines already passed stay in memory: ranges are requested in any order, but never far apart. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** A line so far ahead is looked for; nearer ones are reached by reading on. */
const FAR_LINES = 1_000;

interface Kept {
  readonly first: number;
  readonly lines: readonly Buffer[];
  readonly bytes: number;
}

interface NumberedLine {
  readonly bytes: Buffer;
  readonly number: number;
}

/**
 * Reads the lines of one archive by number, from 1. Requests in roughly ascending order continue from the current
 * position. Others begin at a place at or below the line.
 */
export class ArchiveLines {
  private readonly kept: Kept[] = [];
  private keptBytes = 0;
  private runs: AsyncGenerator<Run, number> | null = null;
  /** The number of the line that `runs` reads next. */
  private next = START.line;
  /** Kept because it is read repeatedly to identify the chain, even when `runs` is far beyond it. */
  private firstLine: Buffer | null = null;
  /** The last line below `next` that is not blank. */
  private lastLine: NumberedLine | null = null;

  constructor(
    private readonly file: Pick<ArchiveFile, 'placeOf' | 'runs'>,
    private readonly keptLimit = KEPT_BYTES,
  ) {}

  /** Returns the line, or null past the end. */
  async get(line: number): Promise<Buffer | null> {
    const known = line === START.line ? this.firstLine : this.find(line);
    if (known) return known;
    await this.approach(line);
    while (line >= this.next) {
      if (!(await this.advance())) return null;
    }
    return this.find(line);
  }

  /** Returns the last line that is not blank, or null if there is none. */
  async last(): Promise<NumberedLine | null> {
    await this.approach(Infinity);
    while (await this.advance());
    return this.lastLine;
  }

  async close(): Promise<void> {
    this.kept.length = 0;
    this.keptBytes = 0;
    this.lastLine = null;
    const { runs } = this;
    this.runs = null;
    await runs?.return(0);
  }

  private find(line: number): Buffer | null {
    const kept = this.kept.findLast(({ first }) => line >= first);
    return kept?.lines[line - kept.first] ?? null;
  }

  /** Moves to a place at or below the line, unless reading on is as good. */
  private async approach(line: number): Promise<void> {
    const isAhead = this.runs !== null && line >= this.next;
    if (isAhead && line - this.next < FAR_LINES) return;
    const place = await this.file.placeOf(line);
    if (isAhead && place.line <= this.next) return;
    await this.close();
    this.next = place.line;
    this.runs = this.file.runs(place);
  }

  /** Returns false at the end. */
  private async advance(): Promise<boolean> {
    try {
      const { done, value } = await this.runs!.next();
      if (!done) this.keep(value);
      return !done;
    } catch (error) {
      // A generator that has failed would otherwise look like one that has ended.
      await this.close();
      throw error;
    }
  }

  private keep(run: Run): void {
    const { first, next, bytes } = run;
    const lines = run.lines();
    // Copy the line: a part would keep its whole run in memory.
    if (first === START.line) this.firstLine = Buffer.from(lines[0]!);
    const last = lines.findLastIndex((line) => !isBlank(line));
    if (last !== -1) this.lastLine = { bytes: lines[last]!, number: first + last };
    this.kept.push({ first, lines, bytes: bytes.length });
    this.keptBytes += bytes.length;
    while (this.keptBytes > this.keptLimit && this.kept.length > 1)
      this.keptBytes -= this.kept.shift()!.bytes;
    this.next = next;
  }
}
