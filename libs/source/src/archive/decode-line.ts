import { type Block, type BlockRef, parseLosslessJson } from '@roundhouse/chain';
import { decodeFrom } from '../decode/decode-from.js';
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
