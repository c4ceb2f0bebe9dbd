import { oldNumberOf, type KnownType } from '@roundhouse/chain';
import { isEmpty, type BlockText, type TransactionText } from '../text/block-text.js';
import { ByteWriter } from './byte-writer.js';
import { legacyBytes } from './legacy-bytes.js';
import type { Payload, PayloadFields } from './payload.js';
import { payloadOf, type FindPayload, type SignedForm } from './payload-of.js';
import { UnserialisableError } from './unserialisable.error.js';

/** Which signatures follow the fields. */
export interface WithSignatures {
  readonly signature: boolean;
  readonly secondSignature: boolean;
  /** Those of the members of a multi-signature account. */
  readonly signatures: boolean;
}

const ALL_SIGNATURES: WithSignatures = { signature: true, secondSignature: true, signatures: true };

const writer = new ByteWriter();

export const recipientOf = (
  block: BlockText,
  { recipientId, oddRecipient }: TransactionText,
): string | null => oddRecipient ?? (isEmpty(recipientId) ? null : block.textOf(recipientId));

const writeVendorField = (block: BlockText, transaction: TransactionText): void => {
  const { vendorField, isVendorFieldHex } = transaction;
  const length = vendorField.end - vendorField.start;
  if (isVendorFieldHex) writer.u8(length / 2).hexSpan(block.bytes, vendorField);
  else writer.u8(length).bytes(block.bytes, vendorField.start, vendorField.end);
};

/** A field that the type does not sign would not be proven by the id. */
const assertNothingElse = (transaction: TransactionText, fields: PayloadFields, payload: Payload): void => {
  const { amount, vendorField } = transaction;
  if (!payload.hasVendorField && !isEmpty(vendorField))
    throw new UnserialisableError('has a vendorField, which its type does not sign');
  if (!payload.hasAmount && (amount.low > 0 || amount.high > 0))
    throw new UnserialisableError('has an amount, which its type does not sign');
  if (!payload.hasRecipient && fields.recipientId !== null)
    throw new UnserialisableError('has a recipientId, which its type does not sign');
};

const writeHeader = (transaction: TransactionText, form: SignedForm, network: number): void => {
  const { version, type, typeGroup, hasNonce } = form;
  writer.begin().u8(0xff).u8(version).u8(network);
  if (hasNonce) writer.u32(typeGroup).u16(type).amount(transaction.nonce);
  // Core 2.4 and 2.5 sign a timestamp, and their own number of the type.
  else writer.u8(oldNumberOf(type)).u32(transaction.timestamp.value);
};

/** The form of AIP 11. Nodes store transactions of version 1 in it too. */
const aip11Bytes = (
  block: BlockText,
  transaction: TransactionText,
  form: SignedForm,
  network: number,
  payload: Payload,
  fields: PayloadFields,
  including: WithSignatures,
): Buffer => {
  writeHeader(transaction, form, network);
  writer.hexSpan(block.bytes, transaction.senderPublicKey).amount(transaction.fee);
  if (payload.hasVendorField) writeVendorField(block, transaction);
  else writer.u8(0);
  payload.write(writer, fields);
  if (including.signature) writer.hexSpan(block.bytes, transaction.signature);
  if (including.secondSignature) writer.hexSpan(block.bytes, transaction.secondSignature);
  if (including.signatures && transaction.signatures !== null)
    for (const signature of transaction.signatures) writer.hex(signature);
  return writer.result();
};

const formOf = ({ version, typeGroup, type, hasNonce }: TransactionText): SignedForm => ({
  version: version.value,
  typeGroup: typeGroup.value,
  type: type.value,
  hasNonce,
});

const fieldsOf = (block: BlockText, transaction: TransactionText): PayloadFields => ({
  amount: transaction.amount,
  expiration: transaction.expiration,
  recipientId: recipientOf(block, transaction),
  asset: transaction.asset,
});

/** Whether `transactionBytes` knows the type. */
export const isSerialisable = (transaction: TransactionText): boolean =>
  payloadOf(formOf(transaction)) !== undefined;

/**
 * The bytes whose SHA-256 is the transaction's id (Core 2.4 to 3.9): AIP 11, or for version 1 the form before AIP 11.
 * `network` is the chain's `pubKeyHash`. Null for unknown types. Throws `UnserialisableError`. The result is valid until
 * the next call.
 */
export const transactionBytes = (
  block: BlockText,
  transaction: TransactionText,
  network: number,
  including: WithSignatures = ALL_SIGNATURES,
  find: FindPayload = payloadOf,
): Buffer | null => {
  const form = formOf(transaction);
  const payload = find(form);
  if (payload === undefined) return null;
  const fields = fieldsOf(block, transaction);
  if (form.version === 1) return legacyBytes(writer, block, transaction, fields, including);
  assertNothingElse(transaction, fields, payload);
  return aip11Bytes(block, transaction, form, network, payload, fields, including);
};

/** For unknown types: `deserialiseTransaction` reads no further than the header. */
const NO_PAYLOAD: Payload = { write: () => undefined, read: () => ({}) };

/** What a node has in `serialized`; `deserialiseTransaction` reads it. */
export const storedBytes = (block: BlockText, transaction: TransactionText, network: number): Buffer => {
  const form = formOf(transaction);
  const payload = payloadOf(form) ?? NO_PAYLOAD;
  return aip11Bytes(block, transaction, form, network, payload, fieldsOf(block, transaction), ALL_SIGNATURES);
};

/**
 * The bytes that a transaction of version 2 with a nonce would have if it were of this known type. Fields that the type
 * does not sign are left out. Throws `UnserialisableError`. The result is valid until the next call.
 */
export const bytesAs = (
  { typeGroup, type }: KnownType,
  block: BlockText,
  transaction: TransactionText,
  network: number,
  fields: PayloadFields,
): Buffer => {
  const form = { version: transaction.version.value, typeGroup, type, hasNonce: true };
  return aip11Bytes(block, transaction, form, network, payloadOf(form)!, fields, ALL_SIGNATURES);
};
