import { sha256As } from '@roundhouse/chain';
import type { BlockText } from '../text/block-text.js';
import { writeHex } from './header-bytes.js';

const ID_BYTES = 32;

/** Of a block without transactions. */
export const EMPTY_PAYLOAD_HASH = sha256As('hex', '');

/** SHA-256 over the raw bytes of the transaction ids, in payload order, as hex. */
const hashOfIds = (ids: Uint8Array): string => (ids.length === 0 ? EMPTY_PAYLOAD_HASH : sha256As('hex', ids));

let scratch = Buffer.allocUnsafe(ID_BYTES * 150);

/** The payload hash computed from a block's transactions. */
export const payloadHashOf = (block: BlockText): string => {
  const most = block.transactionCount * ID_BYTES;
  if (scratch.length < most) scratch = Buffer.allocUnsafe(most);
  let length = 0;
  for (let i = 0; i < block.transactionCount; i += 1)
    length = writeHex(scratch, length, block.bytes, block.transaction(i).id);
  return hashOfIds(scratch.subarray(0, length));
};

/** The payload hash of a block that is being made. */
export const computePayloadHash = (transactionIds: readonly string[]): string =>
  hashOfIds(Buffer.from(transactionIds.join(''), 'hex'));
