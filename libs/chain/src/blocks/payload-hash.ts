import { sha256As } from '../crypto/hashes.js';

const ID_BYTES = 32;

const EMPTY = sha256As('hex', '');

/** As hex, of the raw transaction ids. */
export const payloadHashOfBytes = (ids: Uint8Array): string =>
  ids.length === 0 ? EMPTY : sha256As('hex', ids);

let scratch = Buffer.allocUnsafe(ID_BYTES * 150);

/** SHA-256 over the raw bytes of the transaction ids, in payload order, as hex. */
export const computePayloadHash = (transactionIds: readonly string[]): string => {
  const most = transactionIds.length * ID_BYTES;
  if (scratch.length < most) scratch = Buffer.allocUnsafe(most);
  let length = 0;
  for (const id of transactionIds) length += scratch.write(id, length, ID_BYTES, 'hex');
  return payloadHashOfBytes(scratch.subarray(0, length));
};
