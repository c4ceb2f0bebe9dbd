import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@roundhouse/chain';

const { Point } = secp256k1;
const { Fp, Fn } = Point;

const integerOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

/** Euler's criterion. */
const isSquare = (y: bigint): boolean => Fp.pow(y, (Fp.ORDER - 1n) / 2n) === Fp.ONE;

/**
 * Whether `signature` (64 bytes: r, s) over `hash` was made by `publicKey` (33 bytes). Core 3.x uses an early draft,
 * not BIP 340: the challenge is SHA-256 of r, the compressed key and the hash, and y of the nonce point is a square.
 */
export const verifyLegacySchnorr = (
  hash: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): boolean => {
  const r = signature.subarray(0, 32);
  const s = integerOf(signature.subarray(32));
  if (signature.length !== 64 || integerOf(r) >= Fp.ORDER || s >= Fn.ORDER) return false;
  try {
    const key = Point.fromHex(publicKey);
    const challenge = Fn.create(integerOf(sha256(Buffer.concat([r, publicKey, hash]))));
    const nonce = Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(challenge));
    if (nonce.is0()) return false;
    const { x, y } = nonce.toAffine();
    return x === integerOf(r) && isSquare(y);
  } catch {
    // Not a point of the curve.
    return false;
  }
};
