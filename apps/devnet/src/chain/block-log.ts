import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DevnetError } from '../devnet.error.js';
import { readLines } from './read-lines.js';
import type { RawBlock } from './raw-block.js';

const RECENT = 512;

/**
 * The blocks, one a line, in an append-only file that only a fork shortens. In memory are the places of the lines,
 * the ids, and the newest blocks.
 */
export class BlockLog {
  /** Where the line of height h begins is at index h - 1; the last entry is the end of the file. */
  private readonly offsets: number[] = [0];
  /** Transactions up to and with height h, at index h. */
  private readonly transactionCounts: number[] = [0];
  private readonly heights = new Map<string, number>();
  private readonly transactionHeights = new Map<string, number>();
  private readonly recent = new Map<number, RawBlock>();

  private constructor(
    private readonly path: string,
    private readonly file: number,
  ) {}

  /**
   * Opens the file, or makes it. `onBlock` gets each block that it holds, in order. An unfinished last line, which a
   * killed process leaves, is cut off. Throws `DevnetError` where a line before the last cannot be read.
   */
  static open(path: string, onBlock: (block: RawBlock) => void): BlockLog {
    const log = new BlockLog(path, openSync(path, 'a+'));
    for (const line of readLines(log.file)) {
      let block: RawBlock;
      try {
        block = JSON.parse(line.text) as RawBlock;
      } catch (cause) {
        if (line.isLast) break;
        throw new DevnetError(
          `${path} is damaged after height ${log.height}. Remove the folder it lies in.`,
          { cause },
        );
      }
      onBlock(block);
      log.remember(block, line.end);
    }
    ftruncateSync(log.file, log.offsets.at(-1));
    return log;
  }

  /** An empty one whose file nobody else sees, and which is gone when it is closed. */
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

  get transactionCount(): number {
    return this.transactionCounts.at(-1)!;
  }

  /** How many transactions the blocks up to `height` hold together. */
  transactionsUpTo(height: number): number {
    return this.transactionCounts[height] ?? this.transactionCount;
  }

  /** The height whose block holds the transaction that is `index`th in the whole chain, from 0. */
  heightOfTransaction(index: number): number {
    let low = 1;
    let high = this.height;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.transactionsUpTo(middle) > index) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  findHeight(blockId: string): number | null {
    return this.heights.get(blockId) ?? null;
  }

  findTransactionHeight(transactionId: string): number | null {
    return this.transactionHeights.get(transactionId) ?? null;
  }

  append(block: RawBlock): void {
    const line = Buffer.from(`${JSON.stringify(block)}\n`);
    writeSync(this.file, line);
    this.remember(block, this.offsets.at(-1)! + line.length);
  }

  /** Throws `RangeError` where the chain has no such height. */
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

  /** The blocks from `from` to `to`, both included, as far as the chain has them. */
  *blocks(from: number, to: number): Generator<RawBlock> {
    for (let height = Math.max(from, 1); height <= Math.min(to, this.height); height += 1)
      yield this.read(height);
  }

  /** Forgets all blocks above `height`. */
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
      throw new DevnetError(
        `${this.path} has height ${height} after ${this.height}. Remove the folder it lies in.`,
      );
    }
    this.offsets.push(end);
    this.transactionCounts.push(this.transactionCount + transactions.length);
    this.heights.set(id, height);
    for (const transaction of transactions) this.transactionHeights.set(transaction.id, height);
    this.recent.set(height, block);
    this.recent.delete(height - RECENT);
  }
}
