import type { BlockRef } from '@roundhouse/chain';
import { decodeFrom } from '../decode/decode-from.js';
import { NodeProtocolError } from '../errors/node-errors.js';
import { parseLosslessJson } from '../json/lossless-json.js';

/** What is wrong with an archive, and what to do about it. */
export const refuseArchive = (source: string, problem: string, cause?: unknown): NodeProtocolError =>
  new NodeProtocolError(
    source,
    `The archive ${source.replace(/^file:/, '')} cannot be used: ${problem}. Make or fetch the file anew.`,
    { cause },
  );

/** Parses the line that `where` names. Throws `NodeProtocolError`. */
export const parseLine = (source: string, text: string, where: string): unknown => {
  try {
    return parseLosslessJson(text);
  } catch (error) {
    throw refuseArchive(source, `${where} is no JSON (${(error as Error).message})`, error);
  }
};

/** Decodes line number `line`, which holds the block at that height. Throws `NodeProtocolError`. */
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
  );
};

/**
 * Without a look for numbers that lose digits: what is left of one is no safe integer, which no decoder takes. Null where
 * anything is wrong.
 */
const decodeQuickly = <T>(text: string, decode: (value: unknown) => T): T | null => {
  try {
    return decode(JSON.parse(text));
  } catch {
    return null;
  }
};

const decodeCarefully = <T>(source: string, text: string, line: number, decode: (value: unknown) => T): T =>
  decodeFrom(source, `line ${line}`, parseLine(source, text, `line ${line}`), decode);
