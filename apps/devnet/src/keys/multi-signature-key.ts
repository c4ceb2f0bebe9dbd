import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@roundhouse/chain';

export interface MultiSignature {
  /** How many of the keys must sign. */
  readonly min: number;
  readonly publicKeys: readonly string[];
}

/**
 * The public key of a multi-signature account: the sum of its members' keys and of a key for `min` (Core 3.x,
 * `PublicKey.fromMultiSignatureAsset`). Throws if a member's key is not a point of the curve.
 */
export const multiSignatureKeyOf = ({ min, publicKeys }: MultiSignature): string => {
  const minKey = secp256k1.Point.BASE.multiply(
    secp256k1.Point.Fn.fromBytes(sha256(min.toString(16).padStart(2, '0'))),
  );
  return publicKeys.reduce((sum, key) => sum.add(secp256k1.Point.fromHex(key)), minKey).toHex(true);
};
