import { signEcdsa } from './ecdsa.js';
import { signSchnorr } from './schnorr.js';

/** How signatures are made: `hash` is the SHA-256 of what is signed, the answer is hex. */
export interface Signing {
  readonly ecdsa: (hash: Uint8Array, privateKey: Uint8Array) => string;
  readonly schnorr: (hash: Uint8Array, privateKey: Uint8Array) => string;
}

export const realSigning: Signing = { ecdsa: signEcdsa, schnorr: signSchnorr };

/** Signatures of the right shape that verify under no key: for load tests, where only ids and hashes count. */
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
