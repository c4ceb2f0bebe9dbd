import { decodeBlock } from '@roundhouse/blocks';
import {
  parseLosslessJson,
  type Block,
  type BlockRef,
  type MergedMilestones,
  type Network,
} from '@roundhouse/chain';
import type { BlockSegment } from '../block-source.js';
import { BlockChecker, decodeFrom, type Verification } from '../checks/block-checker.js';
import { NodeProtocolError } from '../errors/node-errors.js';

/** The error for a faulty archive: the problem, the first wrong line (if known), and what to do about it. */
export const refuseArchive = (
  source: string,
  problem: string,
  line?: number,
  cause?: unknown,
): NodeProtocolError =>
  new NodeProtocolError(
    source,
    `The archive ${source.replace(/^file:/, '')} cannot be used: ${problem}. Make or fetch the file again.`,
    { cause, ...(line === undefined ? {} : { height: line }) },
  );

/**
 * Turns an error of zlib into the refusal of an archive whose gzipped data is damaged at line `line` or above. Returns
 * other errors unchanged.
 */
export const refuseIfDamaged = (path: string, line: number, error: NodeJS.ErrnoException): Error =>
  error.code?.startsWith('Z_')
    ? refuseArchive(
        `file:${path}`,
        `the gzipped data is cut off or damaged at line ${line} or later (${error.message})`,
        line,
        error,
      )
    : error;

/** Parses a line. Omit `line` for the last line of a file if its number is unknown. Throws `NodeProtocolError`. */
export const parseLine = (source: string, text: string, line?: number): unknown => {
  try {
    return parseLosslessJson(text);
  } catch (error) {
    const where = line === undefined ? 'its last line' : `line ${line}`;
    throw refuseArchive(source, `${where} is not JSON (${(error as Error).message})`, line, error);
  }
};

/** Decodes line number `line`, which holds the block at that height. Throws `NodeProtocolError` with this height. */
export const decodeLine = <T extends BlockRef>(
  source: string,
  text: string,
  line: number,
  decode: (value: unknown) => T,
): T => {
  const block = decodeQuickly(text, decode) ?? decodeCarefully(source, text, line, decode);
  if (block.height === line) return block;
  throw refuseArchive(
    source,
    `line ${line} holds height ${block.height}, but an archive begins at 1 and has no gaps`,
    line,
  );
};

/** The asset of an unknown type is kept as it is, so no decoder refuses a number in it that has lost digits. */
const hasUncheckedAsset = ({ transactions = [] }: Partial<Block>): boolean =>
  transactions.some(({ asset }) => asset?.other !== undefined);

/**
 * Decodes without a check for numbers that lose digits. Such a number is not a safe integer, and every decoder of a known
 * field refuses it. Returns null if anything is wrong, or if there are other fields.
 */
const decodeQuickly = <T extends BlockRef>(text: string, decode: (value: unknown) => T): T | null => {
  try {
    const block = decode(JSON.parse(text));
    return hasUncheckedAsset(block) ? null : block;
  } catch {
    return null;
  }
};

const decodeCarefully = <T>(source: string, text: string, line: number, decode: (value: unknown) => T): T =>
  decodeFrom(source, 'a block', parseLine(source, text, line), decode, line);

const NEW_LINE = 10;

export interface SegmentDecoderOptions {
  /** The name of the segments' source, for messages. */
  readonly source: string;
  readonly network: Network;
  readonly verify: Verification;
  /** The network's milestones. (Default: they are merged) */
  readonly merged?: MergedMilestones;
}

/** Turns segments into checked blocks. It does not need the source, so it can run in another thread. */
export class SegmentDecoder {
  private readonly checker: BlockChecker;
  private readonly source: string;

  constructor({ source, network, verify, merged }: SegmentDecoderOptions) {
    this.source = source;
    this.checker = new BlockChecker(source, network, verify, undefined, merged);
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
