import type { Block } from '@roundhouse/chain';
import { blockLine, transactionLine } from './block-rows.js';

/** Rows of one table in COPY's text form, block by block. */
export interface EncodedRows {
  readonly bytes: Uint8Array;
  /** For each block the end of its rows in `bytes`. */
  readonly ends: Uint32Array;
}

export interface RowSizes {
  readonly blockBytes: number;
  readonly transactionBytes: number;
}

const LEAST_BYTES = 64 * 1024;

/** Rows that come after those of some size have about the same: growing leaves buffers behind. */
const SPARE = 1.125;

/** UTF-8 never takes more for one UTF-16 unit. */
const MOST_BYTES_A_CHARACTER = 3;

class Lines {
  private bytes: Buffer;
  private length = 0;
  private readonly ends: number[] = [];

  constructor(expectedBytes: number) {
    this.bytes = Buffer.allocUnsafe(Math.max(Math.ceil(expectedBytes * SPARE), LEAST_BYTES));
  }

  add(line: string): void {
    const needed = this.length + line.length * MOST_BYTES_A_CHARACTER;
    if (needed > this.bytes.length) this.grow(needed);
    this.length += this.bytes.write(line, this.length);
  }

  endBlock(): void {
    this.ends.push(this.length);
  }

  finish(): EncodedRows {
    return { bytes: this.bytes.subarray(0, this.length), ends: Uint32Array.from(this.ends) };
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

/** Makes the rows of blocks, one after the other, straight into bytes: no line outlives its block. */
export class RowsEncoder {
  private readonly blockLines: Lines;
  private readonly transactionLines: Lines;

  /** The sizes that are expected, of the rows of either table. */
  constructor({ blockBytes, transactionBytes }: RowSizes = { blockBytes: 0, transactionBytes: 0 }) {
    this.blockLines = new Lines(blockBytes);
    this.transactionLines = new Lines(transactionBytes);
  }

  add(block: Block): void {
    this.blockLines.add(blockLine(block));
    this.blockLines.endBlock();
    const { height, transactions } = block;
    for (let sequence = 0; sequence < transactions.length; sequence += 1) {
      this.transactionLines.add(transactionLine(height, sequence, transactions[sequence]!));
    }
    this.transactionLines.endBlock();
  }

  blockRows(): EncodedRows {
    return this.blockLines.finish();
  }

  transactionRows(): EncodedRows {
    return this.transactionLines.finish();
  }
}
