import { secp256k1 } from '@noble/curves/secp256k1.js';

/**
 * Returns DER in hex with a low s. The nonce follows RFC 6979, so the same key and hash always give the same
 * signature.
 */
export const signEcdsa = (hash: Uint8Array, privateKey: Uint8Array): string =>
  Buffer.from(secp256k1.sign(hash, privateKey, { lowS: true }).toBytes('der')).toString('hex');

/** Returns false unless this is a well-formed signature with a low s by this key. */
export const verifyEcdsa = (hash: Uint8Array, signature: string, publicKey: string): boolean => {
  try {
    return secp256k1.verify(Buffer.from(signature, 'hex'), hash, Buffer.from(publicKey, 'hex'), {
      lowS: true,
      format: 'der',
    });
  } catch {
    return false;
  }
};
