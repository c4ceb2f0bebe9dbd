import {
  addressBytes,
  amountOf,
  blockIdOf,
  CORE_TYPE_GROUP,
  countOf,
  hashOf,
  heightOf,
  hexOf,
  inner,
  objectOf,
  optionalTextOf,
  publicKeyOf,
  TransactionType,
  type BlockHeader,
  type JsonObject,
  type Transaction,
} from '@roundhouse/chain';
import { decodeWith, previousIdOf, typeOf } from './raw-block.js';

// The form in which the public API of 2.x shows blocks and transactions, and 3.x unless asked for `transform=false`.

/** Decodes a header as the public API of 2.x shows it (and 3.x unless asked for `transform=false`). */
export const decodeTransformedHeader = (value: unknown): BlockHeader => {
  const block = objectOf(value);
  const height = heightOf(block, 'height');
  return {
    height,
    id: blockIdOf(block, 'id'),
    version: countOf(block, 'version'),
    previousBlock: previousIdOf(block, 'previous', height),
    ...inner(block, 'forged', (forged) => ({
      reward: amountOf(forged, 'reward'),
      totalFee: amountOf(forged, 'fee'),
      totalAmount: amountOf(forged, 'amount'),
    })),
    ...inner(block, 'payload', (payload) => ({
      payloadHash: hashOf(payload, 'hash'),
      payloadLength: countOf(payload, 'length'),
    })),
    generatorPublicKey: inner(block, 'generator', (generator) => publicKeyOf(generator, 'publicKey')),
    blockSignature: hexOf(block, 'signature'),
    numberOfTransactions: countOf(block, 'transactions'),
    timestamp: inner(block, 'timestamp', (timestamp) => countOf(timestamp, 'epoch')),
  };
};

/**
 * Whether a transaction whose recipient equals its sender really names that recipient: a transfer, a lock, or a vote of
 * version 1.
 */
const namesItsSender = (transaction: JsonObject): boolean => {
  const { typeGroup, type } = typeOf(transaction);
  if (typeGroup !== CORE_TYPE_GROUP) return false;
  if (type === TransactionType.Vote) return transaction['version'] === 1;
  return type === TransactionType.Transfer || type === TransactionType.HtlcLock;
};

/**
 * Decodes a transaction as the public API of 2.x shows it. From 2.5 on, the API shows the sender if there is no
 * recipient (Core 2.5 to 2.7, `transformTransaction`). From other kinds of sources, the same transaction has no
 * recipient.
 */
export const decodeTransformedTransaction = (value: unknown): Transaction => {
  const transaction = objectOf(value);
  const recipientId = optionalTextOf(transaction, 'recipient');
  const sender = optionalTextOf(transaction, 'sender');
  const isFilledIn = recipientId === sender && !namesItsSender(transaction);
  // The API does not show the network, but every address begins with it.
  const network = sender === null ? null : (addressBytes(sender)?.[0] ?? null);
  return decodeWith({ ...transaction, network }, isFilledIn ? null : recipientId, (shown) =>
    countOf(objectOf(shown['timestamp'], 'timestamp'), 'epoch'),
  );
};
