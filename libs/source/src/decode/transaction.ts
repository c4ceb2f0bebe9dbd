import { CORE_TYPE_GROUP, TransactionType, type Transaction } from '@roundhouse/chain';
import { decodeAsset } from '@roundhouse/blocks';
import {
  amountOf,
  countOf,
  hashOf,
  objectOf,
  optionalTextOf,
  publicKeyOf,
  type JsonObject,
} from '@roundhouse/blocks';

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

const decodeWith = (transaction: JsonObject, recipientId: string | null): Transaction => {
  const type = countOf(transaction, 'type');
  const typeGroup = countOf(transaction, 'typeGroup', CORE_TYPE_GROUP);
  return {
    id: hashOf(transaction, 'id'),
    type,
    typeGroup,
    senderPublicKey: publicKeyOf(transaction, 'senderPublicKey'),
    recipientId,
    amount: amountOf(transaction, 'amount'),
    fee: amountOf(transaction, 'fee'),
    asset: decodeAsset(transaction, typeGroup, type),
  };
};

/**
 * Decodes a raw transaction: from a peer, an archive, a database row with camel-case names, or 3.x with
 * `transform=false`.
 */
export const decodeTransaction = (value: unknown): Transaction => {
  const transaction = objectOf(value);
  return decodeWith(transaction, optionalTextOf(transaction, 'recipientId'));
};

/**
 * Whether a transaction to its own sender names that recipient itself: a transfer, a lock, or a vote of version 1.
 */
const namesItsSender = ({ type, typeGroup, version, asset }: JsonObject): boolean => {
  if ((typeGroup ?? CORE_TYPE_GROUP) !== CORE_TYPE_GROUP) return false;
  if (type === TransactionType.HtlcLock) return isObject(asset) && isObject(asset['lock']);
  return type === TransactionType.Transfer || (type === TransactionType.Vote && version === 1);
};

/**
 * Decodes a transaction as the public API of 2.x shows it. From 2.5 on, the API shows the sender if there is no
 * recipient (Core 2.5 to 2.7, `transformTransaction`). From other kinds of sources, the same transaction has no
 * recipient.
 */
export const decodeTransformedTransaction = (value: unknown): Transaction => {
  const transaction = objectOf(value);
  const recipientId = optionalTextOf(transaction, 'recipient');
  const isFilledIn = recipientId === transaction['sender'] && !namesItsSender(transaction);
  return decodeWith(transaction, isFilledIn ? null : recipientId);
};
