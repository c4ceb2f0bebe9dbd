import { sha256As } from '../crypto/hashes.js';
import type { BlockHeader } from './block.js';
import { headerBytes, signedHeaderBytes } from './header-bytes.js';

/** Four little-endian bytes of text that holds a byte a character. */
const uint32At = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) |
    (bytes.charCodeAt(at + 1) << 8) |
    (bytes.charCodeAt(at + 2) << 16) |
    (bytes.charCodeAt(at + 3) << 24)) >>>
  0;

/** The id that the serialised header with its signature gives. */
export const idOfBytes = (bytes: Uint8Array, idFullSha256: boolean): string => {
  if (idFullSha256) return sha256As('hex', bytes);
  const hash = sha256As('binary', bytes);
  return ((BigInt(uint32At(hash, 4)) << 32n) | BigInt(uint32At(hash, 0))).toString();
};

/**
 * The id that a block's contents give (protocol.md, "Blocks"), before any exception: the SHA-256 of header and
 * signature as hex, or its first 8 bytes read little-endian as decimal text. The genesis block is hashed without
 * its signature.
 */
export const computeBlockId = (header: Omit<BlockHeader, 'id'>, idFullSha256: boolean): string =>
  idOfBytes(header.height === 1 ? headerBytes(header) : signedHeaderBytes(header), idFullSha256);
