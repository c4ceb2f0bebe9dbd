import type { BlockText } from '@roundhouse/blocks';
import { addBlockRow, addTransactionRow } from './block-rows.js';
import { RowBytes, type EncodedRows } from './copy-binary.js';

export interface RowSizes {
  readonly blockBytes: number;
  readonly transactionBytes: number;
}

/** Encodes the rows of blocks, one after the other, directly into bytes; keeps no text of a block. */
export class RowsEncoder {
  private readonly blocks: RowBytes;
  private readonly transactions: RowBytes;

  /** Expects the sizes of the rows of both tables. */
  constructor({ blockBytes, transactionBytes }: RowSizes = { blockBytes: 0, transactionBytes: 0 }) {
    this.blocks = new RowBytes(blockBytes);
    this.transactions = new RowBytes(transactionBytes);
  }

  add(block: BlockText): void {
    addBlockRow(this.blocks, block);
    for (let sequence = 0; sequence < block.transactionCount; sequence += 1)
      addTransactionRow(this.transactions, block, sequence, block.transaction(sequence));
    this.blocks.endBlock();
    this.transactions.endBlock();
  }

  blockRows(): EncodedRows {
    return this.blocks.finish();
  }

  transactionRows(): EncodedRows {
    return this.transactions.finish();
  }
}
