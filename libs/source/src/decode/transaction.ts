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

/** A raw transaction: of a peer, an archive, a database row under camel-case names, 3.x with `transform=false`. */
export const decodeTransaction = (value: unknown): Transaction => {
  const transaction = objectOf(value);
  return decodeWith(transaction, optionalTextOf(transaction, 'recipientId'));
};

/** Whether a transaction that goes to its own sender says so itself: a transfer, a lock, or a vote of version 1. */
const namesItsSender = ({ type, typeGroup, version, asset }: JsonObject): boolean => {
  if ((typeGroup ?? CORE_TYPE_GROUP) !== CORE_TYPE_GROUP) return false;
  if (type === TransactionType.HtlcLock) return isObject(asset) && isObject(asset['lock']);
  return type === TransactionType.Transfer || (type === TransactionType.Vote && version === 1);
};

/**
 * A transaction as the public API of 2.x shows it. From 2.5 on that names the sender where there is no recipient
 * (Core 2.5 to 2.7, `transformTransaction`); the same transaction has none when it comes from another kind of source.
 */
export const decodeTransformedTransaction = (value: unknown): Transaction => {
  const transaction = objectOf(value);
  const recipientId = optionalTextOf(transaction, 'recipient');
  const isFilledIn = recipientId === transaction['sender'] && !namesItsSender(transaction);
  return decodeWith(transaction, isFilledIn ? null : recipientId);
};
