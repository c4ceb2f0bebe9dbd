import { EMPTY_PAYLOAD_HASH, NO_BLOCK_ID, type BlockHeader, sha256As } from '@roundhouse/chain';
import { textOfBlock } from '../line/text-of-block.js';
import type { AmountText, BlockText, Span } from '../text/block-text.js';

const HEX_VALUES = new Uint8Array(256);
for (let value = 0; value < 16; value += 1) HEX_VALUES[value.toString(16).charCodeAt(0)] = value;

/** Writes the bytes of hexadecimal text; returns the offset after them. Faster than making a string for `Buffer.write`. */
export const writeHex = (out: Buffer, at: number, text: Uint8Array, { start, end }: Span): number => {
  let to = at;
  for (let i = start; i < end; i += 2) out[to++] = (HEX_VALUES[text[i]!]! << 4) | HEX_VALUES[text[i + 1]!]!;
  return to;
};

const ZERO = 0x30;
const HALF = 2 ** 32;

export const isFullId = ({ start, end }: Span): boolean => end - start === 64;

/**
 * Writes a block id in its own form: 32 bytes for hex, 8 big-endian bytes for decimal text. If there is no id, all 8
 * bytes are 0.
 */
export const writeBlockId = (out: Buffer, at: number, text: Uint8Array, id: Span): number => {
  if (isFullId(id)) return writeHex(out, at, text, id);
  let low = 0;
  let high = 0;
  for (let i = id.start; i < id.end; i += 1) {
    low = low * 10 + text[i]! - ZERO;
    high *= 10;
    if (low < HALF) continue;
    const carry = Math.floor(low / HALF);
    high += carry;
    low -= carry * HALF;
  }
  return out.writeUInt32BE(low, out.writeUInt32BE(high, at));
};

const writeAmount = (out: Buffer, at: number, { low, high }: AmountText): number =>
  out.writeUInt32LE(high, out.writeUInt32LE(low, at));

/** Maximum length of a header without its signature. */
const HEADER_BYTES = 145;

let headerScratch = Buffer.allocUnsafe(HEADER_BYTES + 256);

/**
 * The serialised header (protocol.md, "Blocks"), optionally followed by its signature. The id of the previous block
 * keeps its own form: 8 big-endian bytes for decimal text, 32 for hex. The result is valid until the next call.
 */
export const headerBytesOf = (block: BlockText, withSignature: boolean): Buffer => {
  const { bytes, blockSignature } = block;
  const most = HEADER_BYTES + (blockSignature.end - blockSignature.start);
  if (headerScratch.length < most) headerScratch = Buffer.allocUnsafe(most);
  const out = headerScratch;
  let at = out.writeUInt32LE(block.version.value, 0);
  at = out.writeUInt32LE(block.timestamp.value, at);
  at = out.writeUInt32LE(block.height.value, at);
  at = writeBlockId(out, at, bytes, block.previousBlock);
  at = out.writeUInt32LE(block.numberOfTransactions.value, at);
  at = writeAmount(out, at, block.totalAmount);
  at = writeAmount(out, at, block.totalFee);
  at = writeAmount(out, at, block.reward);
  at = out.writeUInt32LE(block.payloadLength.value, at);
  at = writeHex(out, at, bytes, block.payloadHash);
  at = writeHex(out, at, bytes, block.generatorPublicKey);
  if (withSignature) at = writeHex(out, at, bytes, blockSignature);
  return out.subarray(0, at);
};

/** A header as text. Fields that are still missing do not affect its bytes. */
export const textOfHeader = (header: Omit<BlockHeader, 'id' | 'blockSignature'>): BlockText => {
  const text = textOfBlock({
    blockSignature: '00',
    ...header,
    version: 0,
    id: NO_BLOCK_ID,
    transactions: [],
  });
  // Set here, because some versions that a header can hold are too large for archive lines and columns. The devnet
  // forges a block with such a version.
  text.version.value = header.version;
  return text;
};

/** The serialised header of a block that is being made, without its signature. */
export const headerBytes = (header: Omit<BlockHeader, 'id' | 'blockSignature'>): Buffer =>
  Buffer.from(headerBytesOf(textOfHeader(header), false));

/** Reads four little-endian bytes from text that holds one byte per character. */
const uint32At = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) |
    (bytes.charCodeAt(at + 1) << 8) |
    (bytes.charCodeAt(at + 2) << 16) |
    (bytes.charCodeAt(at + 3) << 24)) >>>
  0;

/** Where a header has the id of the previous block, and the block after it if that id is short. */
const PREVIOUS_START = 12;
const PREVIOUS_END = 20;
const LONG_NO_ID = Buffer.alloc(32);

/** Core 3 makes genesis blocks with full ids, and with 32 zeros in place of a previous id; older tools write 8. */
const genesisIdOfCore3 = (bytes: Buffer): string =>
  sha256As(
    'hex',
    Buffer.concat([bytes.subarray(0, PREVIOUS_START), LONG_NO_ID, bytes.subarray(PREVIOUS_END)]),
  );

/**
 * The id computed from a block's contents (protocol.md, "Blocks"), before any exception: the SHA-256 of header and
 * signature as hex, or its first 8 bytes read little-endian as decimal text. The genesis block is hashed without its
 * signature, and a full id of it may be that of either form of the header.
 */
export const idOfContents = (block: BlockText, idFullSha256: boolean): string => {
  const isGenesis = block.height.value === 1;
  const bytes = headerBytesOf(block, !isGenesis);
  if (idFullSha256 && isGenesis) {
    const id = genesisIdOfCore3(bytes);
    if (id === block.textOf(block.id)) return id;
  }
  if (idFullSha256) return sha256As('hex', bytes);
  const hash = sha256As('binary', bytes);
  return ((BigInt(uint32At(hash, 4)) << 32n) | BigInt(uint32At(hash, 0))).toString();
};

/** The id of a block that is being made. */
export const computeBlockId = (header: Omit<BlockHeader, 'id'>, idFullSha256: boolean): string =>
  idOfContents(textOfHeader(header), idFullSha256);

const ID_BYTES = 32;

/** SHA-256 over the raw bytes of the transaction ids, in payload order, as hex. */
const hashOfIds = (ids: Uint8Array): string => (ids.length === 0 ? EMPTY_PAYLOAD_HASH : sha256As('hex', ids));

let idsScratch = Buffer.allocUnsafe(ID_BYTES * 150);

/** The payload hash computed from a block's transactions. */
export const payloadHashOf = (block: BlockText): string => {
  const most = block.transactionCount * ID_BYTES;
  if (idsScratch.length < most) idsScratch = Buffer.allocUnsafe(most);
  let length = 0;
  for (let i = 0; i < block.transactionCount; i += 1)
    length = writeHex(idsScratch, length, block.bytes, block.transaction(i).id);
  return hashOfIds(idsScratch.subarray(0, length));
};

/** The payload hash of a block that is being made. */
export const computePayloadHash = (transactionIds: readonly string[]): string =>
  hashOfIds(Buffer.from(transactionIds.join(''), 'hex'));
