import {
  InvalidBlockError,
  isExcepted,
  sha256,
  type Block,
  type Exceptions,
  type Ledger,
  type OnSender,
  type Transaction,
} from '@roundhouse/chain';
import { isBlockSigned, isSigned, type Signed } from '../checks/signature.js';
import { problemOfAccountSignatures, type AccountKeys, type HashWith } from './account-signatures.js';
import { isSerialisable, transactionBytes, UNSIGNED } from './serialise.js';
import type { TransactionRules } from './transaction-id.js';

export interface TransactionSignature extends Signed {
  readonly transactionId: string;
}

const signedBySender = (transaction: Transaction, pubKeyHash: number): Signed[] => {
  const { signature, signatures, senderPublicKey: publicKey } = transaction;
  // Beside signatures of members, only the sender's account says whether its own one counts.
  if (signature === null || signatures !== null) return [];
  const hash = sha256(transactionBytes(transaction, pubKeyHash, UNSIGNED)!);
  return [{ hash, signature: Buffer.from(signature, 'hex'), publicKey }];
};

const isListed = (id: string, { transactions, transactionIdFixTable }: Exceptions): boolean =>
  (transactions?.includes(id) ?? false) || Object.values(transactionIdFixTable ?? {}).includes(id);

/**
 * The signatures of senders in a block. Second signatures, and whatever comes with those of members, need keys that were
 * registered earlier: `senderCheck` verifies them. Returns none for exceptions, unknown types and the genesis block: no
 * node verifies the signatures of a genesis block, and most networks have wrong ones there. The ids must have been
 * checked.
 */
export const transactionSignaturesOf = (block: Block, rules: TransactionRules): TransactionSignature[] =>
  block.transactions
    .filter((transaction) => isVerified(block.height, transaction, rules))
    .flatMap((transaction) =>
      signedBySender(transaction, rules.pubKeyHash).map((signed) => ({
        ...signed,
        transactionId: transaction.id,
      })),
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
  return `transaction ${wrong.transactionId} has a signature that is not by ${wrong.publicKey}`;
};

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
