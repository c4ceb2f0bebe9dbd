import {
  addressOf,
  decodeAsset,
  InvalidBlockError,
  KNOWN_TYPES,
  rawAsset,
  sha256As,
  ShapeError,
  UnserialisableError,
  type Block,
  type Exceptions,
  type KnownType,
  type Transaction,
} from '@roundhouse/chain';
import { bytesAs, transactionBytes } from './serialise.js';

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
 * The known type for which the id is right, although the source states an unknown type. Null if there is none. All fields
 * are kept of an unknown type, except that the API of Core 2.x shows its sender if it has no recipient.
 */
const disguised = (
  transaction: Transaction,
  { pubKeyHash, exceptions }: TransactionRules,
): KnownType | null => {
  const { id, amount, expiration, senderPublicKey } = transaction;
  const recipientId = transaction.recipientId ?? addressOf(senderPublicKey, pubKeyHash);
  const isOf = (known: KnownType): boolean => {
    try {
      const given = transaction.asset && (transaction.asset.other ?? rawAsset(known, transaction.asset));
      const asset = decodeAsset({ asset: given }, known.typeGroup, known.type);
      const fields = { amount, expiration, recipientId, asset };
      return idOf(bytesAs(known, transaction, pubKeyHash, fields), exceptions) === id;
    } catch (error) {
      if (error instanceof ShapeError || error instanceof UnserialisableError) return false;
      throw error;
    }
  };
  return KNOWN_TYPES.find(isOf) ?? null;
};

/**
 * What is wrong with a transaction, as the rest of a sentence that begins with its id. Null if it is right, or of an
 * unknown type.
 */
const problemOf = (transaction: Transaction, height: number, rules: TransactionRules): string | null => {
  const { version, network, typeGroup, type } = transaction;
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
  const kind = `type ${type} of type group ${typeGroup}`;
  // Types that Core itself does not have are newer than nonces, so every transaction of such a type has a nonce.
  if (transaction.nonce === null) return `is of ${kind} but has no nonce, a form that no node knows`;
  const known = disguised(transaction, rules);
  return known && `is of type ${known.type} of type group ${known.typeGroup}, but is given as ${kind}`;
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
