import { pointAdd, pointCompress, pointFromScalar } from 'tiny-secp256k1';
import { sha256 } from '../crypto/hashes.js';
import type { MultiSignature } from '../transactions/transaction.js';

const twoDigits = (number: number): string => number.toString(16).padStart(2, '0');

/** The sum of points of the curve; null if it is the point at infinity, which is no key. Throws for other bytes. */
const addKey = (sum: Uint8Array | null, key: string): Uint8Array | null =>
  sum && pointAdd(sum, Buffer.from(key, 'hex'));

/**
 * The public key of a multi-signature account: the sum of its members' keys and of the key whose passphrase is `min` in
 * hexadecimal digits (Core 3.9, `PublicKey.fromMultiSignatureAsset`). Null if there is no such key: `min` is not from 1
 * to the number of members, or a member's key is not a point of the curve, or a sum is no key.
 */
export const multiSignatureKeyOf = ({ min, publicKeys }: MultiSignature): string | null => {
  if (min < 1 || min > publicKeys.length) return null;
  // Both coordinates: compressing each sum would cost a square root.
  const minKey = pointFromScalar(sha256(twoDigits(min)), false);
  try {
    const sum = publicKeys.reduce(addKey, minKey);
    return sum && Buffer.from(pointCompress(sum, true)).toString('hex');
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
