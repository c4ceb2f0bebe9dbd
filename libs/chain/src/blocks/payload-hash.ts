import { sha256 } from '../crypto/hashes.js';

/** SHA-256 over the raw bytes of the transaction ids, in payload order, as hex. */
export const computePayloadHash = (transactionIds: readonly string[]): string =>
  sha256(Buffer.from(transactionIds.join(''), 'hex')).toString('hex');
