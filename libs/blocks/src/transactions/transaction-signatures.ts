import { sha256, type Exceptions } from '@roundhouse/chain';
import type { Signed } from '../checks/signature.js';
import { isEmpty, type BlockText, type TransactionText } from '../text/block-text.js';
import { isSerialisable, transactionBytes, type WithSignatures } from './serialise.js';
import type { TransactionRules } from './transaction-id.js';

/** A signature of a transaction. Like `Signed`, it holds copies: the text may hold another block afterwards. */
export interface TransactionSignature extends Signed {
  readonly transactionId: string;
}

const UNSIGNED: WithSignatures = { signature: false, secondSignature: false, signatures: false };
const SIGNED_BY_MEMBERS: WithSignatures = { ...UNSIGNED, signatures: true };

/** Stands for the signature of an unknown member: no key verifies it. */
const NO_SIGNATURE = Buffer.alloc(0);

/** The registration of a multi-signature account is signed by its members, each under its own key. */
function* signedByMembers(
  block: BlockText,
  transaction: TransactionText,
  pubKeyHash: number,
): Generator<Signed, void> {
  const members = transaction.asset?.multiSignature;
  if (members === undefined) return;
  const hash = sha256(transactionBytes(block, transaction, pubKeyHash, UNSIGNED)!);
  for (const part of transaction.signatures ?? []) {
    const publicKey = members.publicKeys[Number.parseInt(part.slice(0, 2), 16)];
    const signature = publicKey === undefined ? NO_SIGNATURE : Buffer.from(part.slice(2), 'hex');
    yield { hash, signature, publicKey: publicKey ?? '' };
  }
}

const signedBySender = (
  block: BlockText,
  transaction: TransactionText,
  pubKeyHash: number,
): Signed | null => {
  if (isEmpty(transaction.signature)) return null;
  const bytes = transactionBytes(block, transaction, pubKeyHash, SIGNED_BY_MEMBERS);
  return {
    hash: sha256(bytes!),
    signature: Buffer.from(block.textOf(transaction.signature), 'hex'),
    publicKey: block.textOf(transaction.senderPublicKey),
  };
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
export const transactionSignaturesOf = (
  block: BlockText,
  rules: TransactionRules,
): TransactionSignature[] => {
  const { pubKeyHash } = rules;
  const all: TransactionSignature[] = [];
  for (let i = 0; i < block.transactionCount; i += 1) {
    const transaction = block.transaction(i);
    if (!isVerified(block, transaction, rules)) continue;
    const transactionId = block.textOf(transaction.id);
    const bySender = signedBySender(block, transaction, pubKeyHash);
    if (bySender !== null) all.push({ ...bySender, transactionId });
    for (const signed of signedByMembers(block, transaction, pubKeyHash))
      all.push({ ...signed, transactionId });
  }
  return all;
};

/** Whether the signatures are verified: not of exceptions, unknown types and the genesis block. */
export const isVerified = (
  block: BlockText,
  transaction: TransactionText,
  { exceptions }: TransactionRules,
): boolean =>
  block.height.value > 1 &&
  !isListed(block.textOf(transaction.id), exceptions) &&
  isSerialisable(transaction);
