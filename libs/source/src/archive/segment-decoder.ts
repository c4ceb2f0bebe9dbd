import type { Block, Network } from '@roundhouse/chain';
import type { BlockSegment } from '../block-segment.js';
import { BlockChecker, type Verification } from '../checks/block-checker.js';
import { decodeBlock } from '../decode/block.js';
import { decodeLine } from './decode-line.js';

const NEW_LINE = 10;

export interface SegmentDecoderOptions {
  /** The name of the source that the segments are from, for messages. */
  readonly source: string;
  readonly network: Network;
  readonly verify: Verification;
}

/** Turns segments into checked blocks; needs nothing of the source itself, so that it can run in another thread. */
export class SegmentDecoder {
  private readonly checker: BlockChecker;
  private readonly source: string;

  constructor({ source, network, verify }: SegmentDecoderOptions) {
    this.source = source;
    this.checker = new BlockChecker(source, network, verify);
  }

  /** All blocks of the segment. Throws `NodeProtocolError`. */
  decode({ firstHeight, bytes }: BlockSegment): Promise<Block[]> {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const blocks: Block[] = [];
    let start = 0;
    while (start < text.length) {
      const newLine = text.indexOf(NEW_LINE, start);
      const end = newLine === -1 ? text.length : newLine;
      const line = text.toString('utf8', start, end);
      blocks.push(decodeLine(this.source, line, firstHeight + blocks.length, decodeBlock));
      start = end + 1;
    }
    return this.checker.check(blocks, firstHeight);
  }
}
