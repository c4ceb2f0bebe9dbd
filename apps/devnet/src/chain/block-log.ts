import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DevnetError } from '../devnet.error.js';
import { readLines } from './read-lines.js';
import type { RawBlock } from './raw-block.js';

const RECENT = 512;

/**
 * The blocks, one per line, in an append-only file; only a fork shortens it. Memory holds the offsets of the lines,
 * the ids, and the newest blocks.
 */
export class BlockLog {
  /** Index h - 1 has the offset of the line of height h; the last entry is the end of the file. */
  private readonly offsets: number[] = [0];
  /** Index h has the number of transactions up to and including height h. */
  private readonly transactionCounts: number[] = [0];
  private readonly heights = new Map<string, number>();
  private readonly transactionHeights = new Map<string, number>();
  private readonly recent = new Map<number, RawBlock>();

  private constructor(
    private readonly path: string,
    private readonly file: number,
  ) {}

  /**
   * Opens or creates the file. Calls `onBlock` for each block in it, in order. Cuts off an incomplete last line,
   * which a killed process leaves behind. Throws `DevnetError` if an earlier line cannot be read.
   */
  static open(path: string, onBlock: (block: RawBlock) => void): BlockLog {
    const log = new BlockLog(path, openSync(path, 'a+'));
    for (const line of readLines(log.file)) {
      let block: RawBlock;
      try {
        block = JSON.parse(line.text) as RawBlock;
      } catch (cause) {
        if (line.isLast) break;
        throw new DevnetError(`${path} is damaged after height ${log.height}. Remove its folder.`, { cause });
      }
      onBlock(block);
      log.remember(block, line.end);
    }
    ftruncateSync(log.file, log.offsets.at(-1));
    return log;
  }

  /** Opens an empty log with an unlinked file, which disappears when it is closed. */
  static temporary(): BlockLog {
    const folder = mkdtempSync(join(tmpdir(), 'roundhouse-devnet-'));
    const path = join(folder, 'chain.ndjson');
    const log = new BlockLog(path, openSync(path, 'a+'));
    rmSync(folder, { recursive: true });
    return log;
  }

  get height(): number {
    return this.offsets.length - 1;
  }

  /** The number of transactions in the blocks up to `height`. */
  transactionsUpTo(height: number): number {
    return this.transactionCounts[height]!;
  }

  heightOf(blockId: string): number | null {
    return this.heights.get(blockId) ?? null;
  }

  heightOfTransaction(id: string): number | null {
    return this.transactionHeights.get(id) ?? null;
  }

  append(block: RawBlock): void {
    const line = Buffer.from(`${JSON.stringify(block)}\n`);
    writeSync(this.file, line);
    this.remember(block, this.offsets.at(-1)! + line.length);
  }

  /** Throws `RangeError` if the chain has no such height. */
  read(height: number): RawBlock {
    const recent = this.recent.get(height);
    if (recent) return recent;
    const start = this.offsets[height - 1];
    const end = this.offsets[height];
    if (start === undefined || end === undefined)
      throw new RangeError(`The chain has no block at height ${height}.`);
    const bytes = Buffer.allocUnsafe(end - start);
    readSync(this.file, bytes, 0, bytes.length, start);
    return JSON.parse(bytes.toString('utf8')) as RawBlock;
  }

  /** The blocks from `from` to `to`, both included, as far as they exist. */
  *blocks(from: number, to: number): Generator<RawBlock> {
    for (let height = Math.max(from, 1); height <= Math.min(to, this.height); height += 1)
      yield this.read(height);
  }

  /** Removes all blocks above `height`. */
  truncate(height: number): void {
    for (const block of [...this.blocks(height + 1, this.height)]) {
      this.heights.delete(block.id);
      for (const { id } of block.transactions) this.transactionHeights.delete(id);
      this.recent.delete(block.height);
    }
    this.offsets.length = height + 1;
    this.transactionCounts.length = height + 1;
    ftruncateSync(this.file, this.offsets.at(-1));
  }

  close(): void {
    closeSync(this.file);
  }

  private remember(block: RawBlock, end: number): void {
    const { height, id, transactions } = block;
    if (height !== this.height + 1) {
      throw new DevnetError(`${this.path} has height ${height} after ${this.height}. Remove its folder.`);
    }
    this.offsets.push(end);
    this.transactionCounts.push(this.transactionCounts.at(-1)! + transactions.length);
    this.heights.set(id, height);
    for (const transaction of transactions) this.transactionHeights.set(transaction.id, height);
    this.recent.set(height, block);
    this.recent.delete(height - RECENT);
  }
}
