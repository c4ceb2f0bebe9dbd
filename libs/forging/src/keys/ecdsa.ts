import { secp256k1 } from '@noble/curves/secp256k1.js';

/**
 * Returns DER in hex with a low s. The nonce follows RFC 6979, so the same key and hash always give the same
 * signature.
 */
export const signEcdsa = (hash: Uint8Array, privateKey: Uint8Array): string =>
  Buffer.from(secp256k1.sign(hash, privateKey, { lowS: true }).toBytes('der')).toString('hex');
