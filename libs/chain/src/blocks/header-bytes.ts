import { NO_BLOCK_ID, type BlockHeader } from './block.js';

const PREVIOUS_ID_FULL_BYTES = 32;
const FIXED_BYTES = 4 + 4 + 4 + 4 + 8 + 8 + 8 + 4 + 32 + 33;
const MOST_BYTES = FIXED_BYTES + PREVIOUS_ID_FULL_BYTES;

type Unsigned = Omit<BlockHeader, 'id' | 'blockSignature'>;

/** Writes the serialised header to the beginning of `bytes`; gives its length. */
const write = (bytes: Buffer, header: Unsigned): number => {
  const previous = header.previousBlock;
  let at = bytes.writeUInt32LE(header.version, 0);
  at = bytes.writeUInt32LE(header.timestamp, at);
  at = bytes.writeUInt32LE(header.height, at);
  if (previous.length === 64) at += bytes.write(previous, at, PREVIOUS_ID_FULL_BYTES, 'hex');
  else at = bytes.writeBigUInt64BE(previous === NO_BLOCK_ID ? 0n : BigInt(previous), at);
  at = bytes.writeUInt32LE(header.numberOfTransactions, at);
  at = bytes.writeBigUInt64LE(header.totalAmount, at);
  at = bytes.writeBigUInt64LE(header.totalFee, at);
  at = bytes.writeBigUInt64LE(header.reward, at);
  at = bytes.writeUInt32LE(header.payloadLength, at);
  at += bytes.write(header.payloadHash, at, 32, 'hex');
  at += bytes.write(header.generatorPublicKey, at, 33, 'hex');
  return at;
};

/**
 * The serialised header without its signature (protocol.md, "Blocks"). The id of the block before keeps its own
 * form: 8 big-endian bytes for decimal text, 32 for hex.
 */
export const headerBytes = (header: Unsigned): Buffer => {
  const bytes = Buffer.allocUnsafe(MOST_BYTES);
  return bytes.subarray(0, write(bytes, header));
};

/** For headers of which only a hash is wanted: each block of a chain comes through here. */
let scratch = Buffer.allocUnsafe(MOST_BYTES + 256);

/** The serialised header and, behind it, the signature; good until the next call. */
export const signedHeaderBytes = (header: Omit<BlockHeader, 'id'>): Buffer => {
  const signatureBytes = header.blockSignature.length / 2;
  if (scratch.length < MOST_BYTES + signatureBytes) scratch = Buffer.allocUnsafe(MOST_BYTES + signatureBytes);
  const length = write(scratch, header);
  return scratch.subarray(0, length + scratch.write(header.blockSignature, length, 'hex'));
};
