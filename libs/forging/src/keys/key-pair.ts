import { addressOf, curve, sha256 } from '@roundhouse/chain';

export interface KeyPair {
  readonly privateKey: Buffer;
  /** Compressed, hex. */
  readonly publicKey: string;
  readonly address: string;
}

/** The private key is the SHA-256 of the passphrase, as in every wallet of this family. */
export const keyPairOf = (passphrase: string, pubKeyHash: number): KeyPair => {
  const privateKey = sha256(passphrase);
  const point = curve.pointOf(privateKey);
  if (point === null) throw new RangeError(`"${passphrase}" hashes to no private key.`);
  const publicKey = Buffer.from(curve.convert(point, true)!).toString('hex');
  return { privateKey, publicKey, address: addressOf(publicKey, pubKeyHash) };
};
