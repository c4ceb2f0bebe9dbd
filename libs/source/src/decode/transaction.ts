import { CORE_TYPE_GROUP, type Transaction } from '@roundhouse/chain';
import { decodeAsset } from './asset.js';
import {
  amountOf,
  countOf,
  hashOf,
  objectOf,
  optionalTextOf,
  publicKeyOf,
  type JsonObject,
} from './fields.js';

const decodeAs = (transaction: JsonObject, recipientKey: 'recipientId' | 'recipient'): Transaction => {
  const type = countOf(transaction, 'type');
  const typeGroup = countOf(transaction, 'typeGroup', CORE_TYPE_GROUP);
  return {
    id: hashOf(transaction, 'id'),
    type,
    typeGroup,
    senderPublicKey: publicKeyOf(transaction, 'senderPublicKey'),
    recipientId: optionalTextOf(transaction, recipientKey),
    amount: amountOf(transaction, 'amount'),
    fee: amountOf(transaction, 'fee'),
    asset: decodeAsset(transaction, typeGroup, type),
  };
};

/** A raw transaction: of a peer, an archive, a database row under camel-case names, 3.x with `transform=false`. */
export const decodeTransaction = (value: unknown): Transaction => decodeAs(objectOf(value), 'recipientId');

/** A transaction as the public API of 2.x shows it. */
export const decodeTransformedTransaction = (value: unknown): Transaction =>
  decodeAs(objectOf(value), 'recipient');
