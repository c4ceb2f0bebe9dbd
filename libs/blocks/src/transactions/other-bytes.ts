import {
  EMPTY,
  payloadOf,
  sha256As,
  type FindPayload,
  type KnownType,
  type PayloadFields,
  type Transaction,
} from '@roundhouse/chain';
import { aip11Bytes, formOf, transactionBytes, UNSIGNED } from './serialise.js';

// Bytes of transactions that are not read from a source: those that are made, stored by nodes, or in disguise.

/** The bytes of a transaction that is being made, without signatures. Null and errors as `transactionBytes`. */
export const serialise = (transaction: Transaction, network: number, find: FindPayload): Buffer | null => {
  const bytes = transactionBytes(transaction, network, UNSIGNED, find);
  return bytes && Buffer.from(bytes);
};

/** The id that the fields of a transaction give; null for an unknown type. Throws `UnserialisableError`. */
export const computeTransactionId = (transaction: Transaction, network: number): string | null => {
  const bytes = transactionBytes(transaction, network);
  return bytes && sha256As('hex', bytes);
};

/** What a node has in `serialized`. `deserialiseTransaction` reads it; of an unknown type no further than the header. */
export const storedBytes = (
  transaction: Transaction,
  network: number,
  find: FindPayload = payloadOf,
): Buffer => {
  const form = formOf(transaction);
  return aip11Bytes(transaction, form, network, find(form) ?? EMPTY);
};

/**
 * The bytes that a transaction of version 2 with a nonce would have if it were of this known type. Fields that the type
 * does not sign are left out. Throws `UnserialisableError`. The result is valid until the next call.
 */
export const bytesAs = (
  { typeGroup, type }: KnownType,
  transaction: Transaction,
  network: number,
  fields: PayloadFields,
): Buffer => {
  const form = { version: transaction.version, typeGroup, type, hasNonce: true };
  return aip11Bytes(transaction, form, network, payloadOf(form)!, fields);
};
