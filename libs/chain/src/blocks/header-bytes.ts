import { NO_BLOCK_ID, type BlockHeader } from './block.js';

const PREVIOUS_ID_FULL_BYTES = 32;
const PREVIOUS_ID_SHORT_BYTES = 8;
const FIXED_BYTES = 4 + 4 + 4 + 4 + 8 + 8 + 8 + 4 + 32 + 33;

type Unsigned = Omit<BlockHeader, 'id' | 'blockSignature'>;

/**
 * The serialised header without its signature (protocol.md, "Blocks"). The id of the block before keeps its own
 * form: 8 big-endian bytes for decimal text, 32 for hex.
 */
export const headerBytes = (header: Unsigned): Buffer => {
  const previous = header.previousBlock;
  const hasFullPrevious = previous.length === 64;
  const bytes = Buffer.allocUnsafe(
    FIXED_BYTES + (hasFullPrevious ? PREVIOUS_ID_FULL_BYTES : PREVIOUS_ID_SHORT_BYTES),
  );
  let at = bytes.writeUInt32LE(header.version, 0);
  at = bytes.writeUInt32LE(header.timestamp, at);
  at = bytes.writeUInt32LE(header.height, at);
  if (hasFullPrevious) at += bytes.write(previous, at, 'hex');
  else at = bytes.writeBigUInt64BE(previous === NO_BLOCK_ID ? 0n : BigInt(previous), at);
  at = bytes.writeUInt32LE(header.numberOfTransactions, at);
  at = bytes.writeBigUInt64LE(header.totalAmount, at);
  at = bytes.writeBigUInt64LE(header.totalFee, at);
  at = bytes.writeBigUInt64LE(header.reward, at);
  at = bytes.writeUInt32LE(header.payloadLength, at);
  at += bytes.write(header.payloadHash, at, 'hex');
  bytes.write(header.generatorPublicKey, at, 'hex');
  return bytes;
};
