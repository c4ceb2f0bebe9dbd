import { signEcdsa } from './ecdsa.js';
import { signSchnorr } from './schnorr.js';

/** Signs the SHA-256 `hash` of a message. Returns the signature in hex. */
export interface Signing {
  readonly ecdsa: (hash: Uint8Array, privateKey: Uint8Array) => string;
  readonly schnorr: (hash: Uint8Array, privateKey: Uint8Array) => string;
}

export const realSigning: Signing = { ecdsa: signEcdsa, schnorr: signSchnorr };

/** Signatures of the right form that verify under no key, for load tests in which only ids and hashes matter. */
export const placeholderSigning: Signing = {
  ecdsa: (hash) => {
    const part = Buffer.from(hash)
      .toString('hex')
      .replace(/^[89a-f]/, '7')
      .replace(/^00/, '01');
    return `30440220${part}0220${part}`;
  },
  schnorr: (hash) => Buffer.from(hash).toString('hex').repeat(2),
};
