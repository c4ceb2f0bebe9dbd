import { decodeBlock } from '@roundhouse/blocks';
import type { Block, Network } from '@roundhouse/chain';
import type { BlockSegment } from '../block-source.js';
import { BlockChecker, type Verification } from '../checks/block-checker.js';
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

  constructor({ source, network, verify }: SegmentDecoderOptions) {
    this.source = source;
    this.checker = new BlockChecker(source, network, verify);
  }

  /**
   * Adds the blocks of the segment to `blocks`. If it throws `NodeProtocolError`, only the blocks below the height in the
   * error are valid.
   */
  decode({ firstHeight, bytes }: BlockSegment, blocks: Block[]): void {
    const { checker } = this;
    const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let height = firstHeight;
    let previous: Block | null = null;
    try {
      for (let start = 0; start < lines.length; height += 1) {
        const newLine = lines.indexOf(NEW_LINE, start);
        const end = newLine === -1 ? lines.length : newLine;
        const block = decodeLine(this.source, lines.toString('utf8', start, end), height, decodeBlock);
        blocks.push(checker.checkOne(block, previous, firstHeight));
        previous = block;
        start = end + 1;
      }
    } finally {
      // If a block below the wrong one has a wrong signature, that is the error to report.
      if (checker.verifiesSignatures) checker.verifySignatures(blocks);
    }
  }
}
