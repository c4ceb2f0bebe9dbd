import { secp256k1 } from '@noble/curves/secp256k1.js';
import { addressOf, sha256 } from '@roundhouse/chain';

export interface KeyPair {
  readonly privateKey: Buffer;
  /** Compressed, hex. */
  readonly publicKey: string;
  readonly address: string;
}

/** The private key is the SHA-256 of the passphrase, as in every wallet of this family. */
export const keyPairOf = (passphrase: string, pubKeyHash: number): KeyPair => {
  const privateKey = sha256(passphrase);
  const publicKey = Buffer.from(secp256k1.getPublicKey(privateKey, true)).toString('hex');
  return { privateKey, publicKey, address: addressOf(publicKey, pubKeyHash) };
};
