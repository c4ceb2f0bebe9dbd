import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256, type Curve } from '@roundhouse/chain';

const { Fp, Fn } = secp256k1.Point;

const integerOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

/**
 * Whether y is a square of the field, by Jacobi's symbol: a quarter of the time of a square root. 0 is none.
 */
const isSquare = (y: bigint): boolean => {
  let [a, n] = [y, Fp.ORDER];
  let isResidue = true;
  while (a !== 0n) {
    while ((a & 1n) === 0n) {
      a >>= 1n;
      const rest = n & 7n;
      if (rest === 3n || rest === 5n) isResidue = !isResidue;
    }
    if ((a & 3n) === 3n && (n & 3n) === 3n) isResidue = !isResidue;
    [a, n] = [n % a, a];
  }
  return isResidue && n === 1n;
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
