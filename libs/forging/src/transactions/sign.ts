import type { KeyPair } from '../keys/key-pair.js';
import type { Signing } from '../keys/signing.js';
import type { Transaction } from '@roundhouse/chain';
import { hashWith, UNSIGNED, unsignedBytes, type Signatures, type UnsignedTransaction } from './serialise.js';

/** The signer: an account with its key (and its second key), or the members of a multi-signature account. */
export type Credentials =
  | { readonly kind: 'single'; readonly keys: KeyPair; readonly secondKeys: KeyPair | null }
  | { readonly kind: 'members'; readonly publicKey: string; readonly members: readonly Member[] };

export interface Member {
  /** The index of the member's key in the account's registration. */
  readonly index: number;
  readonly keys: KeyPair;
}

export const senderPublicKeyOf = (credentials: Credentials): string =>
  credentials.kind === 'single' ? credentials.keys.publicKey : credentials.publicKey;

/** The members' signatures. Members sign before the sender does. */
const memberSignatures = (
  unsigned: Buffer,
  members: readonly Member[],
  signing: Signing,
): readonly string[] => {
  const hash = hashWith(unsigned, UNSIGNED);
  return members.map(
    ({ index, keys }) => index.toString(16).padStart(2, '0') + signing.schnorr(hash, keys.privateKey),
  );
};

/**
 * Core distinguishes ECDSA and Schnorr signatures by their total length. Members' signatures are always Schnorr, so
 * the sender's must be Schnorr too.
 */
const singleSignatures = (
  unsigned: Buffer,
  { keys, secondKeys }: Extract<Credentials, { kind: 'single' }>,
  members: readonly Member[],
  signing: Signing,
): Signatures => {
  const sign = members.length > 0 ? signing.schnorr : signing.ecdsa;
  const signatures = members.length > 0 ? memberSignatures(unsigned, members, signing) : null;
  const given = { ...UNSIGNED, signatures };
  const signature = sign(hashWith(unsigned, given), keys.privateKey);
  if (secondKeys === null) return { ...given, signature };
  const secondSignature = sign(hashWith(unsigned, { ...given, signature }), secondKeys.privateKey);
  return { signature, secondSignature, signatures };
};

/**
 * Signs the transaction and sets its id: the SHA-256 of its bytes with all signatures. `members` must agree to the
 * registration of a multi-signature account; it is empty for every other transaction.
 */
export const signTransaction = (
  transaction: UnsignedTransaction,
  credentials: Credentials,
  members: readonly Member[],
  signing: Signing,
): Transaction => {
  const unsigned = unsignedBytes(transaction);
  const signatures: Signatures =
    credentials.kind === 'single'
      ? singleSignatures(unsigned, credentials, members, signing)
      : { ...UNSIGNED, signatures: memberSignatures(unsigned, credentials.members, signing) };
  const id = hashWith(unsigned, signatures).toString('hex');
  return { ...transaction, ...signatures, id };
};
