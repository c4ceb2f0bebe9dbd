import { BlockText, fillText, LineReader } from '@roundhouse/blocks';
import type { BlockRef, Network } from '@roundhouse/chain';
import type { BlockSegment } from '../block-source.js';
import { BlockChecker, type SignedBlock, type Verification } from '../checks/block-checker.js';
import { decodeBlock } from '../decode/block.js';
import { decodeLine } from './decode-line.js';

const NEW_LINE = 10;

export interface SegmentDecoderOptions {
  /** The name of the segments' source, for messages. */
  readonly source: string;
  readonly network: Network;
  readonly verify: Verification;
}

/** Turns segments into checked blocks. It does not need the source, so it can run in another thread. */
export class SegmentDecoder {
  private readonly checker: BlockChecker;
  private readonly source: string;
  private readonly reader = new LineReader();
  private readonly text = new BlockText();

  constructor({ source, network, verify }: SegmentDecoderOptions) {
    this.source = source;
    this.checker = new BlockChecker(source, network, verify);
  }

  /**
   * Passes each block of the segment to `take` as soon as it is read and checked, so that the blocks need not all
   * be in memory. Every call gets the same text, filled with the next block. Use the blocks only after it has
   * returned, because signatures are verified at the end. If it throws `NodeProtocolError`, only the blocks below the
   * height in the error are valid.
   */
  decode({ firstHeight, bytes }: BlockSegment, take: (text: BlockText) => void): void {
    const { checker, text } = this;
    const { buffer, byteOffset, byteLength } = bytes;
    const lines = Buffer.from(buffer, byteOffset, byteLength);
    const toVerify: SignedBlock[] = [];
    let previous: BlockRef | null = null;
    let height = firstHeight;
    try {
      for (let start = 0; start < lines.length; height += 1) {
        const newLine = lines.indexOf(NEW_LINE, start);
        const end = newLine === -1 ? lines.length : newLine;
        this.read(lines, start, end, height);
        checker.checkText(text, previous, firstHeight);
        if (checker.verifiesSignatures) toVerify.push(checker.signed(text));
        take(text);
        previous = { height, id: text.textOf(text.id) };
        start = end + 1;
      }
    } finally {
      // If a block below the wrong one has a wrong signature, that is the error to report.
      checker.verifySignatures(toVerify);
    }
  }

  /**
   * Fills `text` with the block of a line. A line that is not in plain form goes through the slower decoder, which
   * also reports what is wrong.
   */
  private read(lines: Buffer, start: number, end: number, height: number): void {
    const { reader, text } = this;
    if (reader.read(lines, start, end, text) && text.height.value === height) return;
    fillText(text, decodeLine(this.source, lines.toString('utf8', start, end), height, decodeBlock));
  }
}
