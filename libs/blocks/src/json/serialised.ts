import {
  amountOf,
  decodeAsset,
  hashOf,
  hexOf,
  isAbsent,
  optionalTextOf,
  sha256As,
  ShapeError,
  UnserialisableError,
  type JsonObject,
  type Transaction,
} from '@roundhouse/chain';
import { deserialiseTransaction, typeByIdOf, type Deserialised } from '../transactions/deserialise.js';
import { readUnknownSignatures } from '../transactions/unknown-signatures.js';

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
 * The transaction in the bytes that a Core node stores. They hold fields that its other columns lack or hold in another
 * form. Throws `ShapeError`.
 */
export const readSerialised = (transaction: JsonObject): Transaction => {
  const id = hashOf(transaction, 'id');
  const { amount, ...fields } = deserialised(transaction, id);
  if (amount !== null) return { ...fields, id, amount };
  return {
    ...fields,
    id,
    amount: amountOf(transaction, 'amount'),
    recipientId: optionalTextOf(transaction, 'recipientId'),
    asset: decodeAsset(transaction, fields.typeGroup, fields.type),
  };
};
