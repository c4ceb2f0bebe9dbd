import {
  CORE_TYPE_GROUP,
  InvalidBlockError,
  isExcepted,
  membersOf,
  multiSignatureKeyOf,
  sha256,
  TransactionType,
  type Account,
  type Block,
  type Exceptions,
  type Ledger,
  type MultiSignature,
  type OnSender,
  type Transaction,
} from '@roundhouse/chain';
import { isBlockSigned, isSigned, type Signed } from '../checks/signature.js';
import { isSerialisable, transactionBytes, UNSIGNED, type WithSignatures } from './serialise.js';
import type { TransactionRules } from './transaction-id.js';

export interface TransactionSignature extends Signed {
  readonly transactionId: string;
}

const SIGNED_BY_MEMBERS: WithSignatures = { ...UNSIGNED, signatures: true };

/** Stands for the signature of an unknown member: no key verifies it. */
const NO_SIGNATURE = Buffer.alloc(0);

/** The registration of a multi-signature account is signed by its members, each under its own key. */
const signedByMembers = (transaction: Transaction, pubKeyHash: number): Signed[] => {
  const members = transaction.asset?.multiSignature;
  if (members === undefined) return [];
  const hash = sha256(transactionBytes(transaction, pubKeyHash, UNSIGNED)!);
  return (transaction.signatures ?? []).map((part) => {
    const publicKey = members.publicKeys[Number.parseInt(part.slice(0, 2), 16)];
    const signature = publicKey === undefined ? NO_SIGNATURE : Buffer.from(part.slice(2), 'hex');
    return { hash, signature, publicKey: publicKey ?? '' };
  });
};

const signedBySender = (transaction: Transaction, pubKeyHash: number): Signed[] => {
  const { signature, senderPublicKey: publicKey } = transaction;
  if (signature === null) return [];
  const hash = sha256(transactionBytes(transaction, pubKeyHash, SIGNED_BY_MEMBERS)!);
  return [{ hash, signature: Buffer.from(signature, 'hex'), publicKey }];
};

const isListed = (id: string, { transactions, transactionIdFixTable }: Exceptions): boolean =>
  (transactions?.includes(id) ?? false) || Object.values(transactionIdFixTable ?? {}).includes(id);

/**
 * The signatures in a block that can be verified with keys from the same transaction: those of the senders, and those
 * of the members in the registration of their account. Second signatures, and those of members in other transactions,
 * are under keys that were registered earlier. Returns none for exceptions, unknown types and the genesis block: no
 * node verifies the signatures of a genesis block, and most networks have wrong ones there. The ids must have been
 * checked.
 */
export const transactionSignaturesOf = (block: Block, rules: TransactionRules): TransactionSignature[] =>
  block.transactions
    .filter((transaction) => isVerified(block.height, transaction, rules))
    .flatMap((transaction) =>
      [
        ...signedBySender(transaction, rules.pubKeyHash),
        ...signedByMembers(transaction, rules.pubKeyHash),
      ].map((signed) => ({ ...signed, transactionId: transaction.id })),
    );

/** Whether the signatures are verified: not of exceptions, unknown types and the genesis block. */
export const isVerified = (
  height: number,
  transaction: Transaction,
  { exceptions }: TransactionRules,
): boolean => height > 1 && !isListed(transaction.id, exceptions) && isSerialisable(transaction);

/**
 * What is wrong with the signatures of a block whose ids have been checked, under the keys that it names itself; null if
 * nothing is. Those of the network's exceptions and of the genesis block are not verified, as no node does.
 */
export const problemOfBlockSignatures = (block: Block, rules: TransactionRules): string | null => {
  if (block.height > 1 && !isExcepted(block, rules.exceptions) && !isBlockSigned(block))
    return `its blockSignature is not by its generator ${block.generatorPublicKey}`;
  const wrong = transactionSignaturesOf(block, rules).find((signed) => !isSigned(signed));
  if (wrong === undefined) return null;
  return `transaction ${wrong.transactionId} has a signature that is not by ${wrong.publicKey || 'a member'}`;
};

/** What an account's transactions must be signed with. */
export type AccountKeys = Pick<Account, 'publicKey' | 'secondPublicKey' | 'multiSignature'>;

const WITHOUT_SECOND: WithSignatures = { signature: true, secondSignature: false, signatures: true };

const SCHNORR_DIGITS = 128;

/** The members who sign a registration are those of the new account, and not of the sender's. */
const isRegistration = ({ typeGroup, type }: Transaction): boolean =>
  typeGroup === CORE_TYPE_GROUP && type === TransactionType.MultiSignature;

const verify = (hash: Uint8Array, signature: string, publicKey: string): boolean =>
  isSigned({ hash, signature: Buffer.from(signature, 'hex'), publicKey });

/** How many of the members have signed; 0 if one of them signs twice. */
const countMembers = (
  hash: Uint8Array,
  signatures: readonly string[],
  { publicKeys }: MultiSignature,
): number => {
  const places = signatures.map((part) => Number.parseInt(part.slice(0, 2), 16));
  if (new Set(places).size < places.length) return 0;
  return signatures.filter((part, index) => {
    const publicKey = publicKeys[places[index]!];
    const signature = part.slice(2);
    return (
      publicKey !== undefined && signature.length === SCHNORR_DIGITS && verify(hash, signature, publicKey)
    );
  }).length;
};

/** The hash that is signed, with these of the transaction's signatures before it. */
export type HashWith = (including: WithSignatures) => Uint8Array;

const problemOfSecond = (
  { secondSignature }: Transaction,
  secondPublicKey: string | null,
  hashWith: HashWith,
  ignoresUnexpected: boolean,
): string | null => {
  if (secondPublicKey === null)
    return secondSignature === null || ignoresUnexpected
      ? null
      : 'has a second signature, but its sender has no key for one';
  if (secondSignature === null) return 'lacks the second signature of its sender';
  const isRight = verify(hashWith(WITHOUT_SECOND), secondSignature, secondPublicKey);
  return isRight ? null : `has a second signature that is not by ${secondPublicKey}`;
};

const problemOfMembers = (
  transaction: Transaction,
  { publicKey, multiSignature }: AccountKeys,
  hashWith: HashWith,
): string | null => {
  // In version 1 the id does not cover them.
  const isSigned = transaction.version > 1 && !isRegistration(transaction);
  const signatures = isSigned ? transaction.signatures : null;
  if (multiSignature === null)
    return signatures === null ? null : 'has signatures of members, but its sender has no members';
  const members = membersOf(multiSignature);
  // Members that version 1 gave to an account sign nothing that an id covers.
  if (multiSignatureKeyOf(members) !== publicKey) return null;
  const count = signatures === null ? 0 : countMembers(hashWith(UNSIGNED), signatures, members);
  return count >= members.min
    ? null
    : `has valid signatures of ${count} members, but ${members.min} must sign`;
};

/** Only for an account of members, which sign in its place, a transaction has no signature by its key (Core 3.9, `Verifier.verifyHash`). */
const problemOfOwn = (
  { version, signature }: Transaction,
  { publicKey, multiSignature }: AccountKeys,
): string | null => {
  if (signature !== null) return null;
  const isOfMembers =
    version > 1 && multiSignature !== null && multiSignatureKeyOf(membersOf(multiSignature)) === publicKey;
  return isOfMembers ? null : 'is not signed by its sender';
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
  problemOfMembers(transaction, keys, hashWith) ??
  problemOfOwn(transaction, keys);

/**
 * Only the members of an account need no signature of its own key. That of an unknown type is known if the source has its bytes,
 * and then it is right.
 */
const problemOfUnknown = ({ signature }: Transaction, keys: AccountKeys): string | null =>
  signature === null && keys.multiSignature === null ? 'has no signature by its sender' : null;

/** The same in a block whose ids have been checked. Nothing is verified that `isVerified` leaves out. */
export const problemOfSignaturesInBlock = (
  height: number,
  transaction: Transaction,
  keys: AccountKeys,
  rules: TransactionRules,
  ignoresUnexpected: boolean,
): string | null => {
  const { signature, secondSignature, signatures } = transaction;
  const isKeyless = keys.secondPublicKey === null && keys.multiSignature === null;
  if (isKeyless && signature !== null && secondSignature === null && signatures === null) return null;
  if (!isVerified(height, transaction, rules)) {
    const isUnknown = height > 1 && !isListed(transaction.id, rules.exceptions);
    return isUnknown ? problemOfUnknown(transaction, keys) : null;
  }
  const hashWith: HashWith = (including) =>
    sha256(transactionBytes(transaction, rules.pubKeyHash, including)!);
  return problemOfAccountSignatures(transaction, keys, hashWith, ignoresUnexpected);
};

/**
 * Returns a function that checks the signatures of a block's transactions under keys of the senders' accounts. It throws
 * `InvalidBlockError`.
 */
export const senderCheck = ({ network, milestones }: Ledger, height: number): OnSender => {
  // Core's devnet has second signatures without a key in its first blocks (Core 3.9, `performGenericWalletChecks`).
  const ignoresUnexpected = network.name === 'devnet' && milestones.at(height - 1).ignoresSecondSignatures;
  return (transaction, keys) => {
    const problem = problemOfSignaturesInBlock(height, transaction, keys, network, ignoresUnexpected);
    if (problem !== null) throw new InvalidBlockError(height, `transaction ${transaction.id} ${problem}`);
  };
};
