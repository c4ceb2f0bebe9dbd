import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256, type BlockHeader } from '@roundhouse/chain';
// Bitcoin's own library as WebAssembly, 1.5 times as fast as OpenSSL.
import { pointCompress, verify } from 'tiny-secp256k1';
import type { BlockText } from '../text/block-text.js';
import { headerBytesOf, textOfHeader } from './block-id.js';
import { verifyLegacySchnorr } from './schnorr.js';

const SCHNORR_BYTES = 64;

/** Enough for all recent forgers and the most frequent senders. */
const KEPT_KEYS = 10_000;
const keys = new Map<string, Uint8Array>();

/**
 * The key with both coordinates; computing the second one costs a seventh of a verification. Throws if there is no such
 * point.
 */
const pointOf = (publicKey: string): Uint8Array => {
  const known = keys.get(publicKey);
  if (known) return known;
  const point = pointCompress(Buffer.from(publicKey, 'hex'), false);
  if (keys.size >= KEPT_KEYS) keys.clear();
  keys.set(publicKey, point);
  return point;
};

/** Throws if the signature is not DER, or one of its numbers is out of range. */
const compactOf = (der: Uint8Array): Uint8Array =>
  secp256k1.Signature.fromBytes(der, 'der').toBytes('compact');

/**
 * A signature and the hash that it signs. Both are copies, because the text may hold another block by the time they are
 * verified.
 */
export interface Signed {
  readonly hash: Uint8Array;
  readonly signature: Uint8Array;
  readonly publicKey: string;
}

export const signatureOf = (block: BlockText): Signed => ({
  hash: sha256(headerBytesOf(block, false)),
  signature: Buffer.from(block.textOf(block.blockSignature), 'hex'),
  publicKey: block.textOf(block.generatorPublicKey),
});

/**
 * Whether the signature is by the key (protocol.md, "Blocks"): ECDSA in DER, or Schnorr if it is 64 bytes
 * long. The caller consults the network's exceptions.
 */
export const verifySignature = async (signed: Signed): Promise<boolean> => {
  const { hash, signature, publicKey } = signed;
  try {
    const point = pointOf(publicKey);
    if (signature.length === SCHNORR_BYTES)
      return verifyLegacySchnorr(hash, signature, Buffer.from(publicKey, 'hex'), point);
    return verify(hash, point, compactOf(signature));
  } catch {
    return false;
  }
};

export const verifyBlockSignature = (header: BlockHeader): Promise<boolean> =>
  verifySignature(signatureOf(textOfHeader(header)));
