import { sha256, type Block, type Exceptions, type Transaction } from '@roundhouse/chain';
import type { Signed } from '../checks/signature.js';
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
