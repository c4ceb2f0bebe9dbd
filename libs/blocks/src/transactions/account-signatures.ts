import {
  CORE_TYPE_GROUP,
  membersOf,
  multiSignatureKeyOf,
  TransactionType,
  typeOf,
  type Account,
  type MultiSignature,
  type Transaction,
} from '@roundhouse/chain';
import { isSigned } from '../checks/signature.js';
import type { WithSignatures } from './serialise-v1.js';
import { UNSIGNED } from './serialise.js';

/** What an account's transactions must be signed with. */
export type AccountKeys = Pick<Account, 'publicKey' | 'secondPublicKey' | 'multiSignature'>;

const SIGNED_BY_MEMBERS: WithSignatures = { ...UNSIGNED, signatures: true };

const WITHOUT_SECOND: WithSignatures = { signature: true, secondSignature: false, signatures: true };

const SCHNORR_DIGITS = 128;

const isRegistration = ({ typeGroup, type }: Transaction): boolean =>
  typeGroup === CORE_TYPE_GROUP && type === TransactionType.MultiSignature;

const verify = (hash: Uint8Array, signature: string, publicKey: string): boolean =>
  isSigned({ hash, signature: Buffer.from(signature, 'hex'), publicKey });

/**
 * How many of the members have signed, up to as many as must: nodes look at no signature after those. 0 if one of them signs
 * twice (Core 3.9, `Verifier.verifySignatures`).
 */
const countMembers = (
  hash: Uint8Array,
  signatures: readonly string[],
  { min, publicKeys }: MultiSignature,
): number => {
  const places = new Set<number>();
  let count = 0;
  for (const part of signatures) {
    const place = Number.parseInt(part.slice(0, 2), 16);
    if (places.has(place)) return 0;
    places.add(place);
    const publicKey = publicKeys[place];
    const signature = part.slice(2);
    if (publicKey === undefined || signature.length !== SCHNORR_DIGITS) continue;
    if (verify(hash, signature, publicKey)) count += 1;
    if (count === min) break;
  }
  return count;
};

/** The hash that is signed, with these of the transaction's signatures before it. */
export type HashWith = (including: WithSignatures) => Uint8Array;

const problemOfSecond = (
  transaction: Transaction,
  secondPublicKey: string | null,
  hashWith: HashWith,
  ignoresUnexpected: boolean,
): string | null => {
  const { secondSignature } = transaction;
  if (secondPublicKey === null)
    return secondSignature === null || ignoresUnexpected
      ? null
      : 'has a second signature, but its sender has no key for one';
  if (typeOf(transaction)?.needsNoSecondSignature) return null;
  if (secondSignature === null) return 'lacks the second signature of its sender';
  const isRight = verify(hashWith(WITHOUT_SECOND), secondSignature, secondPublicKey);
  return isRight ? null : `has a second signature that is not by ${secondPublicKey}`;
};

const problemOfRegistration = ({ asset, signatures }: Transaction, hashWith: HashWith): string | null => {
  const members = asset?.multiSignature;
  if (members === undefined) return null;
  const count = countMembers(hashWith(UNSIGNED), signatures ?? [], members);
  return count >= members.min
    ? null
    : `has valid signatures of ${count} of the members that it registers, but ${members.min} must sign`;
};

/** An account whose members sign in its place; null for another one, and if version 1 gave it members. */
const membersOfAccount = (
  { version }: Transaction,
  { publicKey, multiSignature }: AccountKeys,
): MultiSignature | null => {
  if (version === 1 || multiSignature === null) return null;
  const members = membersOf(multiSignature);
  return multiSignatureKeyOf(members) === publicKey ? members : null;
};

/** The account's own signature does not count if its members sign (Core 3.9, `TransactionHandler.verify`). */
const problemOfSender = (transaction: Transaction, keys: AccountKeys, hashWith: HashWith): string | null => {
  const { signature, signatures, senderPublicKey } = transaction;
  if (keys.multiSignature === null && signatures !== null && !isRegistration(transaction))
    return 'has signatures of members, but its sender has no members';
  const members = membersOfAccount(transaction, keys);
  if (members !== null) {
    const count = countMembers(hashWith(UNSIGNED), signatures ?? [], members);
    if (count >= members.min) return null;
    return `has valid signatures of ${count} members, but ${members.min} must sign`;
  }
  if (signature === null) return 'is not signed by its sender';
  // Without those of members, it was verified before.
  const isRight = signatures === null || verify(hashWith(SIGNED_BY_MEMBERS), signature, senderPublicKey);
  return isRight ? null : `has a signature that is not by ${senderPublicKey}`;
};

/**
 * What is wrong with a transaction's signatures under the keys that its sender's account had before it, to follow its id
 * in a sentence; null if nothing is (Core 3.9, `performGenericWalletChecks` and `Verifier.verifySignatures`).
 * `ignoresUnexpected`: whether a second signature without a key for it is valid.
 */
export const problemOfAccountSignatures = (
  transaction: Transaction,
  keys: AccountKeys,
  hashWith: HashWith,
  ignoresUnexpected: boolean,
): string | null =>
  problemOfSecond(transaction, keys.secondPublicKey, hashWith, ignoresUnexpected) ??
  problemOfRegistration(transaction, hashWith) ??
  problemOfSender(transaction, keys, hashWith);
