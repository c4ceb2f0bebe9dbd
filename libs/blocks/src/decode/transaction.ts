import {
  addressBytes,
  amountOf,
  byteOf,
  CORE_TYPE_GROUP,
  countOf,
  decodeAsset,
  decodeEach,
  hashOf,
  hexOf,
  isAbsent,
  isKnownType,
  isUint32,
  listOf,
  mayExpire,
  objectOf,
  optionalHexOf,
  optionalTextOf,
  publicKeyOf,
  sha256As,
  ShapeError,
  TransactionType,
  typeOfOldNumber,
  uint32Of,
  UnserialisableError,
  vendorFieldOf,
  within,
  type JsonObject,
  type Transaction,
} from '@roundhouse/chain';
import { rawTransaction } from '../line/archive-line.js';
import { deserialiseTransaction, typeByIdOf, type Deserialised } from '../transactions/deserialise.js';
import { readUnknownSignatures } from '../transactions/unknown-signatures.js';

/** Core 2.4 and 2.5 have neither type groups nor nonces. */
const typeOf = (transaction: JsonObject): { readonly typeGroup: number; readonly type: number } => {
  const type = countOf(transaction, 'type');
  const isOld = isAbsent(transaction, 'typeGroup') && isAbsent(transaction, 'nonce');
  return isOld
    ? typeOfOldNumber(type)
    : { typeGroup: countOf(transaction, 'typeGroup', CORE_TYPE_GROUP), type };
};

/** Core 3 adds nonces to transactions of version 1, although their senders signed none. */
const nonceOf = (transaction: JsonObject, version: number): bigint | null =>
  version === 1 || isAbsent(transaction, 'nonce') ? null : amountOf(transaction, 'nonce');

/** In an unknown type it may be anything; only a height is kept. */
const expirationOf = (transaction: JsonObject, version: number, typeGroup: number, type: number): number => {
  if (isAbsent(transaction, 'expiration') || !mayExpire(version, typeGroup, type)) return 0;
  const isHeight = isKnownType(typeGroup, type) || isUint32(transaction['expiration']);
  return isHeight ? uint32Of(transaction, 'expiration') : 0;
};

/** The signatures of the members of a multi-signature account; null if there are none. Throws `ShapeError`. */
const signaturesOf = (transaction: JsonObject): readonly string[] | null => {
  if (isAbsent(transaction, 'signatures')) return null;
  const list = listOf(transaction, 'signatures');
  return list.length === 0
    ? null
    : within('signatures', () => decodeEach(list, (value) => hexOf({ value }, 'value')));
};

const decodeWith = (
  transaction: JsonObject,
  recipientId: string | null,
  timestampOf: (transaction: JsonObject) => number,
): Transaction => {
  const { typeGroup, type } = typeOf(transaction);
  const version = countOf(transaction, 'version', 1);
  const nonce = nonceOf(transaction, version);
  return {
    id: hashOf(transaction, 'id'),
    version,
    network: isAbsent(transaction, 'network') ? null : byteOf(transaction, 'network'),
    type,
    typeGroup,
    timestamp: nonce === null ? timestampOf(transaction) : null,
    nonce,
    senderPublicKey: publicKeyOf(transaction, 'senderPublicKey'),
    recipientId,
    amount: amountOf(transaction, 'amount'),
    fee: amountOf(transaction, 'fee'),
    expiration: expirationOf(transaction, version, typeGroup, type),
    vendorField: vendorFieldOf(transaction),
    asset: decodeAsset(transaction, typeGroup, type),
    signature: optionalHexOf(transaction, 'signature'),
    secondSignature:
      optionalHexOf(transaction, 'secondSignature') ?? optionalHexOf(transaction, 'signSignature'),
    signatures: signaturesOf(transaction),
  };
};

/** The payload of an unknown type is not read, so `checkTransactionIds` cannot see whether the id is right. */
const assertOwnId = ({ typeGroup, type }: Deserialised, bytes: Buffer, id: string): void => {
  const own = sha256As('hex', bytes);
  if (own === id) return;
  const known = typeByIdOf(bytes, id);
  throw new UnserialisableError(
    known === null
      ? `gives the id ${own}`
      : `is of type ${known.type} of type group ${known.typeGroup}, but is given as type ${type} of type group ${typeGroup}`,
  );
};

const deserialised = (transaction: JsonObject, id: string): Deserialised => {
  const bytes = Buffer.from(hexOf(transaction, 'serialized'), 'hex');
  try {
    const fields = deserialiseTransaction(bytes, !isAbsent(transaction, 'typeGroup'));
    if (fields.amount !== null || fields.nonce === null) return fields;
    assertOwnId(fields, bytes, id);
    return { ...fields, ...readUnknownSignatures(bytes, fields.senderPublicKey) };
  } catch (error) {
    if (!(error instanceof UnserialisableError)) throw error;
    throw new ShapeError('serialized', error.message);
  }
};

/**
 * Decodes the bytes that a Core node stores. They hold fields that its other columns lack or hold in another form. Bytes
 * can have values that no line and no table holds, so the fields are decoded like those of any other source.
 */
const decodeSerialised = (transaction: JsonObject): Transaction => {
  const id = hashOf(transaction, 'id');
  const { amount, ...fields } = deserialised(transaction, id);
  const whole =
    amount === null
      ? {
          ...fields,
          id,
          amount: amountOf(transaction, 'amount'),
          recipientId: optionalTextOf(transaction, 'recipientId'),
          asset: decodeAsset(transaction, fields.typeGroup, fields.type),
        }
      : { ...fields, id, amount };
  return within('serialized', () => decodeTransaction(rawTransaction(whole)));
};

/**
 * Decodes a raw transaction: from a peer, an archive, 3.x with `transform=false`, or a database row with `serialized`.
 */
export const decodeTransaction = (value: unknown): Transaction => {
  const transaction = objectOf(value);
  if (!isAbsent(transaction, 'serialized')) return decodeSerialised(transaction);
  return decodeWith(transaction, optionalTextOf(transaction, 'recipientId'), (raw) =>
    countOf(raw, 'timestamp', 0),
  );
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
