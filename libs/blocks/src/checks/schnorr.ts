import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256, type Curve } from '@roundhouse/chain';

const { Fp, Fn } = secp256k1.Point;

const integerOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

/**
 * Tries to compute the square root. This takes half the time of Euler's criterion, because the exponent of the root has
 * a short addition chain.
 */
const isSquare = (y: bigint): boolean => {
  try {
    return Fp.sqrt(y) !== 0n;
  } catch {
    return false;
  }
};

/**
 * Whether `signature` (64 bytes: r, s) over `hash` was made by `publicKey` (33 bytes). `point` is the same key with
 * both coordinates. Core 3.x uses an early draft, not BIP 340: the challenge is SHA-256 of r, the compressed key and
 * the hash, and y of the nonce point is a square.
 */
export const verifyLegacySchnorr = (
  hash: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
  point: Uint8Array,
  by: Curve,
): boolean => {
  const r = signature.subarray(0, 32);
  const challenge = Fn.create(integerOf(sha256(Buffer.concat([r, publicKey, hash]))));
  const product = by.multiply(point, Fn.toBytes(Fn.neg(challenge)));
  const nonce = product && by.addScalar(product, signature.subarray(32));
  if (nonce === null) return false;
  const [x, y] = [nonce.subarray(1, 33), nonce.subarray(33)];
  return Buffer.compare(x, r) === 0 && isSquare(integerOf(y));
};
