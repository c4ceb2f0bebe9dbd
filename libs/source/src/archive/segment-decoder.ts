import type { Block, BlockRef, Network } from '@roundhouse/chain';
import type { BlockSegment } from '../block-segment.js';
import { BlockChecker, type Verification } from '../checks/block-checker.js';
import { decodeBlock } from '../decode/block.js';
import { decodeLine } from './decode-line.js';

const NEW_LINE = 10;

function* linesOf({ buffer, byteOffset, byteLength }: Uint8Array): Generator<string, void> {
  const text = Buffer.from(buffer, byteOffset, byteLength);
  for (let start = 0; start < text.length;) {
    const newLine = text.indexOf(NEW_LINE, start);
    const end = newLine === -1 ? text.length : newLine;
    yield text.toString('utf8', start, end);
    start = end + 1;
  }
}

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

  /**
   * Hands on each block of the segment as soon as it is decoded and checked, so that nobody need hold them all; the
   * segment counts once the promise resolves, for signatures are verified behind. Rejects with `NodeProtocolError`.
   */
  async decode({ firstHeight, bytes }: BlockSegment, take: (block: Block) => void): Promise<void> {
    const { checker } = this;
    const toVerify: Block[] = [];
    let previous: BlockRef | null = null;
    let height = firstHeight;
    for (const line of linesOf(bytes)) {
      const received = decodeLine(this.source, line, height, decodeBlock);
      const block = checker.checkOne(received, previous ?? checker.before(received, firstHeight));
      if (checker.verifiesSignatures) toVerify.push(block);
      take(block);
      previous = received;
      height += 1;
    }
    await checker.verifySignatures(toVerify);
  }
}
