import {
  ASSET_PARTS,
  CORE_TYPE_GROUP,
  isTypeWithAsset,
  TransactionType,
  type Payment,
  type TransactionAsset,
  type TypeWithAsset,
} from '@roundhouse/chain';
import { amountOf, hashOf, listOf, objectOf, publicKeyOf, textOf, type JsonObject } from './fields.js';
import { ShapeError, decodeEach, within } from './shape-error.js';

const SIGNED_KEY = /^[+-]0[23][0-9a-f]{64}$/;

const decodeVote = (value: unknown): string => {
  const vote = typeof value === 'string' ? value.toLowerCase() : '';
  if (SIGNED_KEY.test(vote)) return vote;
  throw new ShapeError('', 'is not a vote: it must be "+" or "-" and a public key');
};

const decodeKey = (value: unknown): string => publicKeyOf({ key: value }, 'key');

const decodeVotes = (asset: JsonObject): string[] => {
  // Later chains of the family list unvotes separately from votes; unvotes come first.
  if (Array.isArray(asset['unvotes'])) {
    const unvotes = within('unvotes', () => decodeEach(listOf(asset, 'unvotes'), decodeKey));
    const votes = within('votes', () => decodeEach(listOf(asset, 'votes'), decodeKey));
    return [...unvotes.map((key) => `-${key}`), ...votes.map((key) => `+${key}`)];
  }
  const votes = listOf(asset, 'votes');
  return within('votes', () => decodeEach(votes, decodeVote));
};

const decodePayment = (value: unknown): Payment => {
  const payment = objectOf(value);
  return { recipientId: textOf(payment, 'recipientId'), amount: amountOf(payment, 'amount') };
};

const inner = (asset: JsonObject, key: string): JsonObject => objectOf(asset[key], key);

const DECODERS: Readonly<Record<TypeWithAsset, (asset: JsonObject) => TransactionAsset>> = {
  [TransactionType.DelegateRegistration]: (asset) => ({
    username: within('delegate', () => textOf(inner(asset, 'delegate'), 'username')),
  }),
  [TransactionType.Vote]: (asset) => ({ votes: decodeVotes(asset) }),
  [TransactionType.MultiPayment]: (asset) => {
    const payments = listOf(asset, 'payments');
    return { payments: within('payments', () => decodeEach(payments, decodePayment)) };
  },
  [TransactionType.HtlcClaim]: (asset) => ({
    lockTransactionId: within('claim', () => hashOf(inner(asset, 'claim'), 'lockTransactionId')),
  }),
  [TransactionType.HtlcRefund]: (asset) => ({
    lockTransactionId: within('refund', () => hashOf(inner(asset, 'refund'), 'lockTransactionId')),
  }),
};

/** The types (of type group 1) whose asset moves accounts. A source needs to read no other assets. */
export const TYPES_WITH_ASSET: readonly number[] = Object.keys(ASSET_PARTS).map(Number);

/** Reduces an asset to what moves accounts; null for the types that need none. */
export const decodeAsset = (
  transaction: JsonObject,
  typeGroup: number,
  type: number,
): TransactionAsset | null => {
  if (typeGroup !== CORE_TYPE_GROUP || !isTypeWithAsset(type)) return null;
  const decode = DECODERS[type];
  const asset = objectOf(transaction['asset'], 'asset');
  return within('asset', () => decode(asset));
};
