import { secp256k1 } from '@noble/curves/secp256k1.js';

/** DER in hex, with a low s; the nonce is RFC 6979's, so that the same key and hash always give the same signature. */
export const signEcdsa = (hash: Uint8Array, privateKey: Uint8Array): string =>
  Buffer.from(secp256k1.sign(hash, privateKey, { lowS: true }).toBytes('der')).toString('hex');

/** False for anything that is not a well-formed signature with a low s by this key. */
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
