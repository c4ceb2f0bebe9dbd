import {
  addressOf,
  InvalidBlockError,
  KNOWN_TYPES,
  sha256As,
  type Exceptions,
  type KnownType,
} from '@roundhouse/chain';
import { decodeAsset } from '../fields/asset.js';
import { ShapeError } from '../fields/fields.js';
import { NONE, type BlockText, type TransactionText } from '../text/block-text.js';
import { bytesAs, recipientOf, transactionBytes } from './serialise.js';
import { UnserialisableError } from './unserialisable.error.js';

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

/** The id that the fields give; null for unknown types. Throws `UnserialisableError`. */
const computedId = (
  block: BlockText,
  transaction: TransactionText,
  { pubKeyHash, exceptions }: TransactionRules,
): string | null => {
  const bytes = transactionBytes(block, transaction, pubKeyHash);
  return bytes && idOf(bytes, exceptions);
};

/**
 * The known type for which the id is right, although the source states an unknown type. Null if there is none. All fields
 * are kept of an unknown type, except that the API of Core 2.x shows its sender if it has no recipient.
 */
const disguised = (
  block: BlockText,
  transaction: TransactionText,
  { pubKeyHash, exceptions }: TransactionRules,
): KnownType | null => {
  const { amount, expiration } = transaction;
  const id = block.textOf(transaction.id);
  const sender = block.textOf(transaction.senderPublicKey);
  const recipientId = recipientOf(block, transaction) ?? addressOf(sender, pubKeyHash);
  const isOf = (known: KnownType): boolean => {
    try {
      const asset = decodeAsset({ asset: transaction.asset?.other }, known.typeGroup, known.type);
      const fields = { amount, expiration, recipientId, asset };
      return idOf(bytesAs(known, block, transaction, pubKeyHash, fields), exceptions) === id;
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
const problemOf = (
  block: BlockText,
  transaction: TransactionText,
  rules: TransactionRules,
): string | null => {
  const { version, network, typeGroup, type } = transaction;
  const { pubKeyHash } = rules;
  // Core 2.0's deployer gave the transactions of a genesis block the network of ARK's devnet. Version 1 signs none.
  const isAnyNetwork = block.height.value === 1 && version.value === 1;
  if (version.value < 1 || version.value > LAST_VERSION)
    return `has version ${version.value}, which no node knows`;
  if (network.value !== NONE && network.value !== pubKeyHash && !isAnyNetwork)
    return `is of network ${network.value}, but the chain is of network ${pubKeyHash}`;
  try {
    const id = computedId(block, transaction, rules);
    if (id !== null)
      return block.textOf(transaction.id) === id ? null : `has contents that give the id ${id}`;
  } catch (error) {
    if (error instanceof UnserialisableError) return error.message;
    throw error;
  }
  const kind = `type ${type.value} of type group ${typeGroup.value}`;
  // Types that Core itself does not have are newer than nonces, so every transaction of such a type has a nonce.
  if (!transaction.hasNonce) return `is of ${kind} but has no nonce, a form that no node knows`;
  const known = disguised(block, transaction, rules);
  return known && `is of type ${known.type} of type group ${known.typeGroup}, but is given as ${kind}`;
};

/**
 * Checks that every transaction's id is the hash of its fields (protocol.md, "Transaction ids"), consulting the
 * network's exceptions. Transactions of unknown types cannot be checked. Throws `InvalidBlockError`.
 */
export const checkTransactionIds = (block: BlockText, rules: TransactionRules): void => {
  for (let i = 0; i < block.transactionCount; i += 1) {
    const transaction = block.transaction(i);
    const problem = problemOf(block, transaction, rules);
    if (problem === null) continue;
    const id = block.textOf(transaction.id);
    if (!rules.exceptions.transactions?.includes(id))
      throw new InvalidBlockError(block.height.value, `transaction ${id} ${problem}`);
  }
};
