import { curve, sha256 } from '../crypto/crypto.js';
import type { Curve } from '../crypto/curve.js';
import type { MultiSignature } from '../transactions/transaction.js';

const twoDigits = (number: number): string => number.toString(16).padStart(2, '0');

/**
 * The public key of a multi-signature account: the sum of its members' keys and of the key whose passphrase is `min` in
 * hexadecimal digits (Core 3.9, `PublicKey.fromMultiSignatureAsset`). Null if there is no such key: `min` is not from 1
 * to the number of members, or a member's key is not a point of the curve, or a sum is no key.
 */
export const multiSignatureKeyOf = (members: MultiSignature): string | null => keyOfMembers(members, curve);

/** The same, by either curve. */
export const keyOfMembers = ({ min, publicKeys }: MultiSignature, by: Curve): string | null => {
  if (min < 1 || min > publicKeys.length) return null;
  // Both coordinates: compressing each sum would cost a square root.
  const sum = publicKeys.reduce<Uint8Array | null>(
    (partial, key) => partial && by.add(partial, Buffer.from(key, 'hex')),
    by.pointOf(sha256(twoDigits(min))),
  );
  const key = sum && by.convert(sum, true);
  return key && Buffer.from(key).toString('hex');
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
