import { NO_BLOCK_ID } from '../blocks/block.js';
import type { AmountText, BlockText, Span } from './block-text.js';

const HEX_VALUES = new Uint8Array(256);
for (let value = 0; value < 16; value += 1) HEX_VALUES[value.toString(16).charCodeAt(0)] = value;

/** Writes the bytes of hexadecimal text; gives the place behind them. Quicker than a string of it and `Buffer.write`. */
export const writeHex = (out: Buffer, at: number, text: Uint8Array, { start, end }: Span): number => {
  let to = at;
  for (let i = start; i < end; i += 2) out[to++] = (HEX_VALUES[text[i]!]! << 4) | HEX_VALUES[text[i + 1]!]!;
  return to;
};

const writeAmount = (out: Buffer, at: number, { low, high }: AmountText): number =>
  out.writeUInt32LE(high, out.writeUInt32LE(low, at));

/** The most bytes of a header before its signature. */
const HEADER_BYTES = 145;

let scratch = Buffer.allocUnsafe(HEADER_BYTES + 256);

/**
 * The bytes that the block's id is made of: those that `signedHeaderBytes` gives, or `headerBytes` for the genesis block.
 * Good until the next call.
 */
export const headerTextBytes = (block: BlockText, previousBlock: string): Buffer => {
  const { bytes, blockSignature } = block;
  const most = HEADER_BYTES + (blockSignature.end - blockSignature.start);
  if (scratch.length < most) scratch = Buffer.allocUnsafe(most);
  const out = scratch;
  let at = out.writeUInt32LE(block.version.value, 0);
  at = out.writeUInt32LE(block.timestamp.value, at);
  at = out.writeUInt32LE(block.height.value, at);
  if (previousBlock.length === 64) at = writeHex(out, at, bytes, block.previousBlock);
  else at = out.writeBigUInt64BE(previousBlock === NO_BLOCK_ID ? 0n : BigInt(previousBlock), at);
  at = out.writeUInt32LE(block.numberOfTransactions.value, at);
  at = writeAmount(out, at, block.totalAmount);
  at = writeAmount(out, at, block.totalFee);
  at = writeAmount(out, at, block.reward);
  at = out.writeUInt32LE(block.payloadLength.value, at);
  at = writeHex(out, at, bytes, block.payloadHash);
  at = writeHex(out, at, bytes, block.generatorPublicKey);
  if (block.height.value > 1) at = writeHex(out, at, bytes, blockSignature);
  return out.subarray(0, at);
};
