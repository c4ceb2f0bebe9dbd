import type { Block, LedgerBlock } from '@roundhouse/chain';
import type { EncodedRows } from './copy-binary.js';
import { RowsEncoder } from './rows-encoder.js';

const sliceRows = ({ bytes, ends }: EncodedRows, from: number, to: number): EncodedRows => {
  const start = from === 0 ? 0 : ends[from - 1]!;
  const end = to === 0 ? 0 : ends[to - 1]!;
  return {
    bytes: bytes.subarray(start, end),
    ends: start === 0 ? ends.subarray(from, to) : ends.subarray(from, to).map((end) => end - start),
  };
};

/** Consecutive blocks, ready for the tables: what the ledger needs of them, and their rows as COPY takes them. */
export class EncodedBlocks {
  constructor(
    readonly blocks: readonly LedgerBlock[],
    readonly blockRows: EncodedRows,
    readonly transactionRows: EncodedRows,
  ) {}

  static of(blocks: readonly Block[]): EncodedBlocks {
    const encoder = new RowsEncoder();
    for (const block of blocks) encoder.add(block);
    return new EncodedBlocks(blocks, encoder.blockRows(), encoder.transactionRows());
  }

  get length(): number {
    return this.blocks.length;
  }

  get sizeBytes(): number {
    return this.blockRows.bytes.length + this.transactionRows.bytes.length;
  }

  /** The blocks at the places from `from` up to `to`, without a copy of their rows. */
  slice(from: number, to: number): EncodedBlocks {
    if (from === 0 && to === this.length) return this;
    return new EncodedBlocks(
      this.blocks.slice(from, to),
      sliceRows(this.blockRows, from, to),
      sliceRows(this.transactionRows, from, to),
    );
  }
}
