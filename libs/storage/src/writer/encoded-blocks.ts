import {
  addAccountSignatures,
  archiveLine,
  blockOfText,
  BlockText,
  LineReader,
  type AccountSignatures,
  type SignaturesById,
  type TransactionRules,
} from '@roundhouse/blocks';
import type { Block, LedgerBlock } from '@roundhouse/chain';
import { blocks, transactions } from '@roundhouse/entities/tables';
import type { EncodedRows } from './copy-binary.js';
import { rowFields, RowsEncoder, type RowTables } from './block-rows.js';

export const ROW_TABLES: RowTables = { blocks, transactions };
const FIELDS = rowFields(ROW_TABLES);

const NEW_LINE = 10;

const shifted = (places: Uint32Array, by: number): Uint32Array =>
  by === 0 ? places : places.map((place) => place - by);

const sliceRows = ({ bytes, ends, numbersAt }: EncodedRows, from: number, to: number): EncodedRows => {
  const start = from === 0 ? 0 : ends[from - 1]!;
  const end = to === 0 ? 0 : ends[to - 1]!;
  return {
    bytes: bytes.subarray(start, end),
    ends: shifted(ends.subarray(from, to), start),
    numbersAt: shifted(
      numbersAt.filter((at) => at >= start && at < end),
      start,
    ),
  };
};

/** Consecutive blocks: what the ledger needs, and the rows that COPY sends once the writer has filled in their numbers. */
export class EncodedBlocks {
  constructor(
    readonly blocks: readonly LedgerBlock[],
    readonly blockRows: EncodedRows,
    readonly transactionRows: EncodedRows,
    /** To be verified under the keys of the senders' accounts; null if they are not verified. */
    readonly signatures: SignaturesById | null = null,
  ) {}

  /**
   * Decodes the lines of `archiveLine`, except for the first `skipped`. Null if a line is in another form, or no blocks
   * remain. `verifiedBy`: the rules, if signatures are to be verified.
   */
  static ofLines(
    lines: Buffer,
    skipped = 0,
    verifiedBy: TransactionRules | null = null,
  ): EncodedBlocks | null {
    const encoder = new RowsEncoder(FIELDS);
    const reader = new LineReader();
    const text = new BlockText();
    const blocks: Block[] = [];
    const signatures = new Map<string, AccountSignatures | null>();
    let line = 0;
    for (let start = 0; start < lines.length; line += 1) {
      const newLine = lines.indexOf(NEW_LINE, start);
      const end = newLine === -1 ? lines.length : newLine;
      if (line >= skipped) {
        if (!reader.read(lines, start, end, text)) return null;
        encoder.add(text);
        if (verifiedBy) addAccountSignatures(signatures, text, verifiedBy);
        blocks.push(blockOfText(text));
      }
      start = end + 1;
    }
    return blocks.length === 0
      ? null
      : new EncodedBlocks(
          blocks,
          encoder.blockRows(),
          encoder.transactionRows(),
          verifiedBy === null ? null : signatures,
        );
  }

  static of(blocks: readonly Block[], verifiedBy: TransactionRules | null = null): EncodedBlocks {
    const encoded = EncodedBlocks.ofLines(Buffer.from(blocks.map(archiveLine).join('\n')), 0, verifiedBy);
    if (encoded === null) throw new RangeError('A block has a malformed field.');
    return encoded;
  }

  get length(): number {
    return this.blocks.length;
  }

  get sizeBytes(): number {
    return this.blockRows.bytes.length + this.transactionRows.bytes.length;
  }

  /** The blocks up to a height, or null if all are above it. */
  upTo(height: number): EncodedBlocks | null {
    const count = Math.min(this.length, height - this.blocks[0]!.height + 1);
    return count > 0 ? this.slice(0, count) : null;
  }

  /** The blocks from index `from` to before index `to`, without copying their rows. */
  slice(from: number, to: number): EncodedBlocks {
    if (from === 0 && to === this.length) return this;
    return new EncodedBlocks(
      this.blocks.slice(from, to),
      sliceRows(this.blockRows, from, to),
      sliceRows(this.transactionRows, from, to),
      this.signatures,
    );
  }
}
