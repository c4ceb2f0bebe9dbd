import {
  CORE_TYPE_GROUP,
  membersOf,
  multiSignatureKeyOf,
  sha256As,
  TransactionType,
  type Account,
  type MultiSignature,
} from '@roundhouse/chain';
import { isSigned } from '../checks/signature.js';
import { isEmpty, type BlockText, type TransactionText } from '../text/block-text.js';
import { transactionBytes, type WithSignatures } from './serialise.js';
import type { TransactionRules } from './transaction-id.js';
import { isVerified } from './transaction-signatures.js';

/** A hash and what signs it, in hex: plain texts, because they pass between threads. */
interface SignedHash<Signature> {
  readonly hash: string;
  readonly by: Signature;
}

/** The signatures of a transaction under keys that its sender's account had before it. */
export interface AccountSignatures {
  readonly second: SignedHash<string> | null;
  /** One byte for the member's index, then the signature. Only in version 2: in version 1 the id does not cover them. */
  readonly members: SignedHash<readonly string[]> | null;
}

/** By transaction id. Transactions without such signatures are absent; null means that nothing is verified. */
export type SignaturesById = ReadonlyMap<string, AccountSignatures | null>;

/** What an account's transactions must be signed with. */
export type AccountKeys = Pick<Account, 'publicKey' | 'secondPublicKey' | 'multiSignature'>;

const UNSIGNED: WithSignatures = { signature: false, secondSignature: false, signatures: false };
const WITHOUT_SECOND: WithSignatures = { signature: true, secondSignature: false, signatures: true };

const SCHNORR_DIGITS = 128;

/** The members who sign a registration are those of the new account, and not of the sender's. */
const isRegistration = ({ typeGroup, type }: TransactionText): boolean =>
  typeGroup.value === CORE_TYPE_GROUP && type.value === TransactionType.MultiSignature;

/** Adds the signatures of a block's transactions to `all`. The ids must have been checked. */
export const addAccountSignatures = (
  all: Map<string, AccountSignatures | null>,
  block: BlockText,
  rules: TransactionRules,
): void => {
  for (let i = 0; i < block.transactionCount; i += 1) {
    const transaction = block.transaction(i);
    const id = block.textOf(transaction.id);
    if (!isVerified(block, transaction, rules)) {
      all.set(id, null);
      continue;
    }
    const hashOf = (including: WithSignatures): string =>
      sha256As('hex', transactionBytes(block, transaction, rules.pubKeyHash, including)!);
    const { secondSignature, signatures, version } = transaction;
    const hasMembers = signatures !== null && version.value > 1 && !isRegistration(transaction);
    if (isEmpty(secondSignature) && !hasMembers) continue;
    all.set(id, {
      second: isEmpty(secondSignature)
        ? null
        : { hash: hashOf(WITHOUT_SECOND), by: block.textOf(secondSignature) },
      members: hasMembers ? { hash: hashOf(UNSIGNED), by: signatures } : null,
    });
  }
};

const verify = (hash: string, signature: string, publicKey: string): boolean =>
  isSigned({ hash: Buffer.from(hash, 'hex'), signature: Buffer.from(signature, 'hex'), publicKey });

/** How many of the members have signed; 0 if one of them signs twice. */
const countMembers = (
  { hash, by }: SignedHash<readonly string[]>,
  { publicKeys }: MultiSignature,
): number => {
  const places = by.map((part) => Number.parseInt(part.slice(0, 2), 16));
  if (new Set(places).size < places.length) return 0;
  let count = 0;
  for (const [index, part] of by.entries()) {
    const publicKey = publicKeys[places[index]!];
    const signature = part.slice(2);
    if (publicKey === undefined || signature.length !== SCHNORR_DIGITS) continue;
    if (verify(hash, signature, publicKey)) count += 1;
  }
  return count;
};

const problemOfSecond = (
  second: SignedHash<string> | null,
  secondPublicKey: string | null,
  ignoresUnexpected: boolean,
): string | null => {
  if (secondPublicKey === null)
    return second === null || ignoresUnexpected
      ? null
      : 'has a second signature, but its sender has no key for one';
  if (second === null) return 'lacks the second signature of its sender';
  const isRight = verify(second.hash, second.by, secondPublicKey);
  return isRight ? null : `has a second signature that is not by ${secondPublicKey}`;
};

const problemOfMembers = (
  signed: SignedHash<readonly string[]> | null,
  { publicKey, multiSignature }: AccountKeys,
): string | null => {
  if (multiSignature === null)
    return signed === null ? null : 'has signatures of members, but its sender has no members';
  const members = membersOf(multiSignature);
  // Members that version 1 gave to an account sign nothing that an id covers.
  if (multiSignatureKeyOf(members) !== publicKey) return null;
  const count = signed === null ? 0 : countMembers(signed, members);
  return count >= members.min
    ? null
    : `has valid signatures of ${count} members, but ${members.min} must sign`;
};

/**
 * What is wrong with a transaction's signatures under the keys that its sender's account had before it, to follow its id
 * in a sentence; null if nothing is (Core 3.9, `performGenericWalletChecks` and `Verifier.verifySignatures`).
 * `ignoresUnexpected`: whether a second signature without a key for it is valid.
 */
export const problemOfAccountSignatures = (
  { second, members }: AccountSignatures,
  keys: AccountKeys,
  ignoresUnexpected: boolean,
): string | null =>
  problemOfSecond(second, keys.secondPublicKey, ignoresUnexpected) ?? problemOfMembers(members, keys);
