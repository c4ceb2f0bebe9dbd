import {
  InvalidBlockError,
  sha256,
  sha256As,
  UnserialisableError,
  type Block,
  type Exceptions,
  type Ledger,
  type OnSender,
  type Transaction,
} from '@roundhouse/chain';
import type { Signed } from '../checks/signature.js';
import { problemOfAccountSignatures, type AccountKeys, type HashWith } from './account-signatures.js';
import { problemOfUnknown } from './disguise.js';
import { isSerialisable, transactionBytes, UNSIGNED } from './serialise.js';

/** What the ids of a chain's transactions depend on. */
export interface TransactionRules {
  /** The byte that the chain's transactions sign as their network. */
  readonly pubKeyHash: number;
  readonly exceptions: Exceptions;
}

const LAST_VERSION = 2;

const idOf = (bytes: Uint8Array, { transactionIdFixTable }: Exceptions): string => {
  const hash = sha256As('hex', bytes);
  // Some ids were made with a recipient that the transaction does not have (Core 3.9, `Utils.getId`).
  return transactionIdFixTable?.[hash] ?? hash;
};

/**
 * What is wrong with a transaction, as the rest of a sentence that begins with its id. Null if it is right, or of an
 * unknown type.
 */
const problemOf = (transaction: Transaction, height: number, rules: TransactionRules): string | null => {
  const { version, network } = transaction;
  const { pubKeyHash, exceptions } = rules;
  // Core 2.0's deployer gave the transactions of a genesis block the network of ARK's devnet. Version 1 signs none.
  const isAnyNetwork = height === 1 && version === 1;
  if (version < 1 || version > LAST_VERSION) return `has version ${version}, which no node knows`;
  if (network !== null && network !== pubKeyHash && !isAnyNetwork)
    return `is of network ${network}, but the chain is of network ${pubKeyHash}`;
  try {
    const bytes = transactionBytes(transaction, pubKeyHash);
    if (bytes !== null) {
      const id = idOf(bytes, exceptions);
      return transaction.id === id ? null : `has contents that give the id ${id}`;
    }
  } catch (error) {
    if (error instanceof UnserialisableError) return error.message;
    throw error;
  }
  return problemOfUnknown(transaction, pubKeyHash, (bytes) => idOf(bytes, exceptions));
};

/**
 * Checks that every transaction's id is the hash of its fields (protocol.md, "Transaction ids"), consulting the
 * network's exceptions. Transactions of unknown types cannot be checked. Throws `InvalidBlockError`.
 */
export const checkTransactionIds = ({ height, transactions }: Block, rules: TransactionRules): void => {
  for (const transaction of transactions) {
    const problem = problemOf(transaction, height, rules);
    if (problem !== null && !rules.exceptions.transactions?.includes(transaction.id))
      throw new InvalidBlockError(height, `transaction ${transaction.id} ${problem}`);
  }
};

interface TransactionSignature extends Signed {
  readonly transactionId: string;
}

const isListed = (id: string, { transactions, transactionIdFixTable }: Exceptions): boolean =>
  (transactions?.includes(id) ?? false) || Object.values(transactionIdFixTable ?? {}).includes(id);

/**
 * Whether the signatures are verified: not of exceptions, unknown types and the genesis block. No node verifies those of a
 * genesis block, and most networks have wrong ones there.
 */
const isVerified = (height: number, transaction: Transaction, { exceptions }: TransactionRules): boolean =>
  height > 1 && !isListed(transaction.id, exceptions) && isSerialisable(transaction);

const signedBySender = (transaction: Transaction, pubKeyHash: number): TransactionSignature[] => {
  const { id: transactionId, signature, signatures, senderPublicKey: publicKey } = transaction;
  // Beside signatures of members, only the sender's account says whether its own one counts.
  if (signature === null || signatures !== null) return [];
  const hash = sha256(transactionBytes(transaction, pubKeyHash, UNSIGNED)!);
  return [{ hash, signature: Buffer.from(signature, 'hex'), publicKey, transactionId }];
};

/**
 * The signatures of senders in a block whose ids have been checked. Second signatures, and whatever comes with those of
 * members, need keys that were registered earlier: `senderCheck` verifies them.
 */
export const transactionSignaturesOf = (block: Block, rules: TransactionRules): TransactionSignature[] =>
  block.transactions
    .filter((transaction) => isVerified(block.height, transaction, rules))
    .flatMap((transaction) => signedBySender(transaction, rules.pubKeyHash));

/**
 * What is wrong with a transaction's signatures under these keys of its sender, in a block whose ids have been checked; null if
 * nothing is. Nothing is verified that `isVerified` leaves out.
 */
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
    // Only members need no signature of the account's key. That of an unknown type is right if the source has its bytes.
    const isUnsigned = isUnknown && signature === null && keys.multiSignature === null;
    return isUnsigned ? 'has no signature by its sender' : null;
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
