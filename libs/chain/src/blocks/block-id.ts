import { sha256 } from '../crypto/hashes.js';
import type { BlockHeader } from './block.js';
import { headerBytes } from './header-bytes.js';

/**
 * The id that a block's contents give (protocol.md, "Blocks"), before any exception: the SHA-256 of header and
 * signature as hex, or its first 8 bytes read little-endian as decimal text. The genesis block is hashed without
 * its signature.
 */
export const computeBlockId = (header: Omit<BlockHeader, 'id'>, idFullSha256: boolean): string => {
  const unsigned = headerBytes(header);
  const hash = sha256(
    header.height === 1 ? unsigned : Buffer.concat([unsigned, Buffer.from(header.blockSignature, 'hex')]),
  );
  return idFullSha256 ? hash.toString('hex') : hash.readBigUInt64LE(0).toString();
};
