import type { KeyPair } from '../keys/key-pair.js';
import type { Signing } from '../keys/signing.js';
import type { RawTransaction, Signatures, UnsignedTransaction } from './raw-transaction.js';
import { transactionHash } from './serialise.js';

/** Who signs: an account with its key (and its second key), or the members of a multi-signature account. */
export type Credentials =
  | { readonly kind: 'single'; readonly keys: KeyPair; readonly secondKeys: KeyPair | null }
  | { readonly kind: 'members'; readonly publicKey: string; readonly members: readonly Member[] };

export interface Member {
  /** The place of the member's key in the account's registration. */
  readonly index: number;
  readonly keys: KeyPair;
}

export const senderPublicKeyOf = (credentials: Credentials): string =>
  credentials.kind === 'single' ? credentials.keys.publicKey : credentials.publicKey;

/** The members' signatures; they sign before the sender does. */
const memberSignatures = (
  transaction: UnsignedTransaction,
  members: readonly Member[],
  signing: Signing,
): readonly string[] => {
  const hash = transactionHash(transaction, {});
  return members.map(
    ({ index, keys }) => index.toString(16).padStart(2, '0') + signing.schnorr(hash, keys.privateKey),
  );
};

/**
 * Core reads ECDSA and Schnorr signatures apart by the length of all of them together, so a transaction with
 * members' signatures, which are always Schnorr, has its sender's in Schnorr too.
 */
const singleSignatures = (
  transaction: UnsignedTransaction,
  { keys, secondKeys }: Extract<Credentials, { kind: 'single' }>,
  members: readonly Member[],
  signing: Signing,
): Signatures => {
  const sign = members.length > 0 ? signing.schnorr : signing.ecdsa;
  const given = members.length > 0 ? { signatures: memberSignatures(transaction, members, signing) } : {};
  const signature = sign(transactionHash(transaction, given), keys.privateKey);
  if (secondKeys === null) return { signature, ...given };
  const secondSignature = sign(transactionHash(transaction, { signature, ...given }), secondKeys.privateKey);
  return { signature, secondSignature, ...given };
};

/**
 * Signs, and gives the transaction its id: the SHA-256 of its bytes with all signatures. `members` are those who
 * must agree to the registration of a multi-signature account; empty for every other transaction.
 */
export const signTransaction = (
  transaction: UnsignedTransaction,
  credentials: Credentials,
  members: readonly Member[],
  signing: Signing,
): RawTransaction => {
  const signatures: Signatures =
    credentials.kind === 'single'
      ? singleSignatures(transaction, credentials, members, signing)
      : { signatures: memberSignatures(transaction, credentials.members, signing) };
  const id = transactionHash(transaction, signatures).toString('hex');
  return { ...transaction, ...signatures, id };
};
