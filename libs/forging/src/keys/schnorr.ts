import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@roundhouse/chain';

const { Fp, Fn } = secp256k1.Point;

const bytes32 = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

const scalarOf = (...parts: readonly Uint8Array[]): bigint =>
  Fn.create(BigInt(`0x${sha256(Buffer.concat(parts)).toString('hex')}`));

const isSquare = (y: bigint): boolean => Fp.pow(y, (Fp.ORDER - 1n) / 2n) === 1n;

/**
 * The Schnorr signatures of Core 3.x: the draft before BIP 340 (compressed key in the challenge, y of the nonce point
 * is a square). 64 bytes in hex.
 */
export const signSchnorr = (hash: Uint8Array, privateKey: Uint8Array): string => {
  const secret = Fn.fromBytes(privateKey);
  const publicKey = secp256k1.getPublicKey(privateKey, true);
  const nonce = scalarOf(privateKey, hash);
  const point = secp256k1.Point.BASE.multiply(nonce).toAffine();
  const k = isSquare(point.y) ? nonce : Fn.neg(nonce);
  const r = bytes32(point.x);
  const e = scalarOf(r, publicKey, hash);
  return Buffer.concat([r, bytes32(Fn.add(k, Fn.mul(e, secret)))]).toString('hex');
};
