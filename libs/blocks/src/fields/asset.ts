import {
  CORE_TYPE_GROUP,
  MAGISTRATE_TYPE_GROUP,
  TransactionType,
  type Payment,
  type TransactionAsset,
} from '@roundhouse/chain';
import {
  amountOf,
  byteOf,
  hashOf,
  isAbsent,
  listOf,
  objectOf,
  publicKeyOf,
  textOf,
  uint32Of,
  type JsonObject,
  ShapeError,
  decodeEach,
  within,
} from './fields.js';

const SIGNED_KEY = /^[+-]0[23][0-9a-f]{64}$/;

const decodeSignedKey = (value: unknown): string => {
  const key = typeof value === 'string' ? value.toLowerCase() : '';
  if (SIGNED_KEY.test(key)) return key;
  throw new ShapeError(
    '',
    'is not a vote: it must be "+" or "-" and a public key; votes by username cannot be indexed',
  );
};

const decodeKey = (value: unknown): string => publicKeyOf({ key: value }, 'key');

const decodeKeys = (asset: JsonObject, key: string): string[] =>
  within(key, () => decodeEach(listOf(asset, key), decodeKey));

const decodeVotes = (asset: JsonObject): string[] => {
  // Later chains of the family list unvotes separately from votes; unvotes come first.
  if (Array.isArray(asset['unvotes'])) {
    const unvotes = decodeKeys(asset, 'unvotes').map((key) => `-${key}`);
    return [...unvotes, ...decodeKeys(asset, 'votes').map((key) => `+${key}`)];
  }
  const votes = listOf(asset, 'votes');
  return within('votes', () => decodeEach(votes, decodeSignedKey));
};

const decodePayment = (value: unknown): Payment => {
  const payment = objectOf(value);
  return { recipientId: textOf(payment, 'recipientId'), amount: amountOf(payment, 'amount') };
};

/** The members of version 1: as Core has named them since 2.4, and before. */
const LEGACY_MEMBERS = ['multiSignatureLegacy', 'multisignature'] as const;

const decodeMultiSignature = (asset: JsonObject): TransactionAsset => {
  const legacyKey = LEGACY_MEMBERS.find((key) => !isAbsent(asset, key));
  if (legacyKey !== undefined) {
    return inner(asset, legacyKey, (legacy) => {
      const keys = listOf(legacy, 'keysgroup');
      const keysgroup = within('keysgroup', () => decodeEach(keys, decodeSignedKey));
      return {
        multiSignatureLegacy: {
          min: byteOf(legacy, 'min'),
          lifetime: byteOf(legacy, 'lifetime'),
          keysgroup,
        },
      };
    });
  }
  return inner(asset, 'multiSignature', (members) => ({
    multiSignature: { min: byteOf(members, 'min'), publicKeys: decodeKeys(members, 'publicKeys') },
  }));
};

const inner = <T>(asset: JsonObject, key: string, decode: (part: JsonObject) => T): T => {
  const part = objectOf(asset[key], key);
  return within(key, () => decode(part));
};

const DECODERS: Readonly<Partial<Record<number, (asset: JsonObject) => TransactionAsset>>> = {
  [TransactionType.SecondSignature]: (asset) => ({
    secondPublicKey: inner(asset, 'signature', (signature) => publicKeyOf(signature, 'publicKey')),
  }),
  [TransactionType.DelegateRegistration]: (asset) => ({
    username: inner(asset, 'delegate', (delegate) => textOf(delegate, 'username')),
  }),
  [TransactionType.Vote]: (asset) => ({ votes: decodeVotes(asset) }),
  [TransactionType.MultiSignature]: decodeMultiSignature,
  [TransactionType.Ipfs]: (asset) => ({ ipfs: textOf(asset, 'ipfs') }),
  [TransactionType.MultiPayment]: (asset) => {
    const payments = listOf(asset, 'payments');
    return { payments: within('payments', () => decodeEach(payments, decodePayment)) };
  },
  [TransactionType.HtlcLock]: (asset) =>
    inner(asset, 'lock', (lock) => ({
      lock: {
        secretHash: hashOf(lock, 'secretHash'),
        expiration: inner(lock, 'expiration', (expiration) => ({
          type: byteOf(expiration, 'type'),
          value: uint32Of(expiration, 'value'),
        })),
      },
    })),
  [TransactionType.HtlcClaim]: (asset) =>
    inner(asset, 'claim', (claim) => ({
      lockTransactionId: hashOf(claim, 'lockTransactionId'),
      unlockSecret: hashOf(claim, 'unlockSecret'),
    })),
  [TransactionType.HtlcRefund]: (asset) =>
    inner(asset, 'refund', (refund) => ({ lockTransactionId: hashOf(refund, 'lockTransactionId') })),
};

/** The resignation of a business, in type group 2. */
const BUSINESS_RESIGNATION = 1;

const WITHOUT_ASSET: Readonly<Partial<Record<number, readonly number[]>>> = {
  [CORE_TYPE_GROUP]: [TransactionType.Transfer, TransactionType.DelegateResignation],
  [MAGISTRATE_TYPE_GROUP]: [BUSINESS_RESIGNATION],
};

/** Whether transactions of this type have no asset. If a source returns one, it is ignored: it was not signed. */
export const hasNoAsset = (typeGroup: number, type: number): boolean =>
  WITHOUT_ASSET[typeGroup]?.includes(type) ?? false;

/**
 * A replacer for `JSON.stringify`: whole numbers that a double does not hold exactly become text, also if they came with
 * an exponent. They would be stored without it, and read as another kind of number. What remains reads as it was written.
 */
const withLargeAsText = (_key: string, value: unknown): unknown => {
  const isLarge = typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value));
  return isLarge ? BigInt(value as bigint | number).toString() : value;
};

/**
 * The asset of a transaction; null for types that have none. The asset of an unknown type is kept as it is. Throws
 * `ShapeError`.
 */
export const decodeAsset = (
  transaction: JsonObject,
  typeGroup: number,
  type: number,
): TransactionAsset | null => {
  if (hasNoAsset(typeGroup, type)) return null;
  const decode = typeGroup === CORE_TYPE_GROUP ? DECODERS[type] : undefined;
  if (decode === undefined && isAbsent(transaction, 'asset')) return null;
  const asset = objectOf(transaction['asset'], 'asset');
  if (decode !== undefined) return within('asset', () => decode(asset));
  return { other: JSON.parse(JSON.stringify(asset, withLargeAsText)) as JsonObject };
};
