import { BlockText, type Block, type BlockRef, type Network } from '@roundhouse/chain';
import type { BlockSegment } from '../block-segment.js';
import { BlockChecker, type Verification } from '../checks/block-checker.js';
import { decodeBlock } from '../decode/block.js';
import { decodeLine } from './decode-line.js';
import { BlockTextReader } from './text/block-text-reader.js';

const NEW_LINE = 10;

export interface SegmentDecoderOptions {
  /** The name of the source that the segments are from, for messages. */
  readonly source: string;
  readonly network: Network;
  readonly verify: Verification;
}

export interface BlockTaker {
  /** Takes a block that lies in plain form in the segment's bytes; `text` is filled again for the next one. */
  readonly text: (text: BlockText) => void;
  /** Takes any other. */
  readonly block: (block: Block) => void;
}

/** Turns segments into checked blocks; needs nothing of the source itself, so that it can run in another thread. */
export class SegmentDecoder {
  private readonly checker: BlockChecker;
  private readonly source: string;
  private readonly reader = new BlockTextReader();
  private readonly text = new BlockText();

  constructor({ source, network, verify }: SegmentDecoderOptions) {
    this.source = source;
    this.checker = new BlockChecker(source, network, verify);
  }

  /**
   * Hands on each block of the segment as soon as it is decoded and checked, so that nobody need hold them all; they
   * count once the promise settles, for signatures are verified behind. Rejects with `NodeProtocolError`, whose height is
   * the first that does not count.
   */
  async decode({ firstHeight, bytes }: BlockSegment, take: BlockTaker): Promise<void> {
    const { checker } = this;
    const { buffer, byteOffset, byteLength } = bytes;
    const lines = Buffer.from(buffer, byteOffset, byteLength);
    const toVerify: Block[] = [];
    let previous: BlockRef | null = null;
    let height = firstHeight;
    try {
      for (let start = 0; start < lines.length; height += 1) {
        const newLine = lines.indexOf(NEW_LINE, start);
        const end = newLine === -1 ? lines.length : newLine;
        const plain: BlockRef | null = this.readPlain(lines, start, end, previous, firstHeight);
        if (plain !== null) {
          take.text(this.text);
          previous = plain;
        } else {
          const received = decodeLine(this.source, lines.toString('utf8', start, end), height, decodeBlock);
          const block = checker.checkOne(received, previous ?? checker.before(received, firstHeight));
          if (checker.verifiesSignatures) toVerify.push(block);
          take.block(block);
          previous = received;
        }
        start = end + 1;
      }
    } finally {
      // A wrong signature below a wrong block is what is told of.
      await checker.verifySignatures(toVerify);
    }
  }

  /** Fills `text` with a line in plain form that holds a block as it should be, and names it; else null. */
  private readPlain(
    lines: Buffer,
    start: number,
    end: number,
    previous: BlockRef | null,
    firstHeight: number,
  ): BlockRef | null {
    const { checker, reader, text } = this;
    // Signatures are verified of blocks, and take so long that the quick way would not be felt.
    if (checker.verifiesSignatures || !reader.read(lines, start, end, text)) return null;
    const before = previous ?? checker.before({ previousBlock: text.previousId }, firstHeight);
    const id = text.textOf(text.id);
    return checker.isPlainlyRight(text, id, before) ? { height: text.height.value, id } : null;
  }
}
