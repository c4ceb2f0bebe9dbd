import { sha256As, type BlockHeader } from '@roundhouse/chain';
import type { BlockText } from '../text/block-text.js';
import { headerBytesOf, textOfHeader } from './header-bytes.js';

/** Reads four little-endian bytes from text that holds one byte per character. */
const uint32At = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) |
    (bytes.charCodeAt(at + 1) << 8) |
    (bytes.charCodeAt(at + 2) << 16) |
    (bytes.charCodeAt(at + 3) << 24)) >>>
  0;

/**
 * The id computed from a block's contents (protocol.md, "Blocks"), before any exception: the SHA-256 of header and
 * signature as hex, or its first 8 bytes read little-endian as decimal text. The genesis block is hashed without its
 * signature.
 */
export const idOfContents = (block: BlockText, idFullSha256: boolean): string => {
  const bytes = headerBytesOf(block, block.height.value > 1);
  if (idFullSha256) return sha256As('hex', bytes);
  const hash = sha256As('binary', bytes);
  return ((BigInt(uint32At(hash, 4)) << 32n) | BigInt(uint32At(hash, 0))).toString();
};

/** The id of a block that is being made. */
export const computeBlockId = (header: Omit<BlockHeader, 'id'>, idFullSha256: boolean): string =>
  idOfContents(textOfHeader(header), idFullSha256);
