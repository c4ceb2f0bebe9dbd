import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '../crypto/hashes.js';
import type { MultiSignature } from '../transactions/transaction.js';

const { Point } = secp256k1;

const twoDigits = (number: number): string => number.toString(16).padStart(2, '0');

/**
 * The public key of a multi-signature account: the sum of its members' keys and of the key whose passphrase is `min` in
 * hexadecimal digits (Core 3.9, `PublicKey.fromMultiSignatureAsset`). Null if there is no such key: `min` is not from 1
 * to the number of members, or a member's key is not a point of the curve.
 */
export const multiSignatureKeyOf = ({ min, publicKeys }: MultiSignature): string | null => {
  if (min < 1 || min > publicKeys.length) return null;
  const minKey = Point.BASE.multiplyUnsafe(Point.Fn.fromBytes(sha256(twoDigits(min))));
  try {
    return publicKeys.reduce((sum, key) => sum.add(Point.fromHex(key)), minKey).toHex(true);
  } catch {
    return null;
  }
};

/** Members in hex: one byte for `min`, then their keys, 33 bytes each. */
export const textOfMembers = ({ min, publicKeys }: MultiSignature): string =>
  twoDigits(min) + publicKeys.join('');

const KEYS = /.{66}/g;

/** Reads what `textOfMembers` writes. */
export const membersOf = (text: string): MultiSignature => ({
  min: Number.parseInt(text.slice(0, 2), 16),
  publicKeys: text.slice(2).match(KEYS) ?? [],
});
