import { curve, sha256, type BlockHeader } from '@roundhouse/chain';
import { headerBytes } from './block-id.js';
import { compactSignature } from './compact-signature.js';
import { verifyLegacySchnorr } from './schnorr.js';

const SCHNORR_BYTES = 64;

/** Enough for all recent forgers and the most frequent senders. */
const KEPT_KEYS = 10_000;
const keys = new Map<string, Uint8Array>();

/**
 * The key with both coordinates; computing the second one costs a seventh of a verification. Null if there is no such
 * point.
 */
const pointOf = (publicKey: string): Uint8Array | null => {
  const known = keys.get(publicKey);
  if (known) return known;
  const point = curve.convert(Buffer.from(publicKey, 'hex'), false);
  if (point === null) return null;
  if (keys.size >= KEPT_KEYS) keys.clear();
  keys.set(publicKey, point);
  return point;
};

/** A signature and the hash that it signs. */
export interface Signed {
  readonly hash: Uint8Array;
  readonly signature: Uint8Array;
  readonly publicKey: string;
}

export const signatureOf = (header: BlockHeader): Signed => ({
  hash: sha256(headerBytes(header)),
  signature: Buffer.from(header.blockSignature, 'hex'),
  publicKey: header.generatorPublicKey,
});

/**
 * Whether the signature is by the key (protocol.md, "Signatures"): ECDSA, or Schnorr if it is 64 bytes
 * long. The caller consults the network's exceptions.
 */
export const isSigned = ({ hash, signature, publicKey }: Signed, by = curve): boolean => {
  const point = pointOf(publicKey);
  if (point === null) return false;
  if (signature.length === SCHNORR_BYTES)
    return verifyLegacySchnorr(hash, signature, Buffer.from(publicKey, 'hex'), point, by);
  const compact = compactSignature(signature);
  return compact !== null && by.verifyEcdsa(hash, point, compact);
};

export const isBlockSigned = (header: BlockHeader): boolean => isSigned(signatureOf(header));
