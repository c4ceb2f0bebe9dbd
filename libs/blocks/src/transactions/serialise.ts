import {
  ADDRESS_BYTES,
  bytesOfAddress,
  ByteWriter,
  EMPTY,
  oldNumberOf,
  payloadOf,
  sha256As,
  UnserialisableError,
  v1Of,
  type FindPayload,
  type KnownType,
  type Payload,
  type PayloadFields,
  type SignedForm,
  type Transaction,
} from '@roundhouse/chain';

/** Which signatures follow the fields. */
export interface WithSignatures {
  readonly signature: boolean;
  readonly secondSignature: boolean;
  /** Those of the members of a multi-signature account. */
  readonly signatures: boolean;
}

const ALL_SIGNATURES: WithSignatures = { signature: true, secondSignature: true, signatures: true };
export const UNSIGNED: WithSignatures = { signature: false, secondSignature: false, signatures: false };

const writer = new ByteWriter();

/** A vendor field is filled up with zeros to this length. */
const VENDOR_BYTES = 64;

/**
 * The bytes of version 1 (Core 2.4 to 3.9, `Serializer.getBytesV1`). They hold neither the network nor an expiration
 * nor the signatures of members.
 */
const legacyBytes = (transaction: Transaction, including: WithSignatures): Buffer => {
  const { type, recipientId, asset, signature, secondSignature } = transaction;
  const { isWithoutRecipientInV1, writeV1 } = v1Of(type);
  if (recipientId !== null && isWithoutRecipientInV1)
    throw new UnserialisableError('has a recipientId, which its type does not sign');
  // In version 1, only transactions among the exceptions of their network have signatures of members.
  if (transaction.signatures !== null)
    throw new UnserialisableError('has signatures of members, which version 1 does not sign');
  writer
    .begin()
    .u8(oldNumberOf(type))
    .u32(transaction.timestamp ?? 0)
    .hex(transaction.senderPublicKey);
  if (recipientId === null) writer.zeros(ADDRESS_BYTES);
  else writer.bytes(bytesOfAddress(recipientId));
  const vendorField = transaction.vendorField ?? '';
  writer.hex(vendorField).zeros(Math.max(VENDOR_BYTES - vendorField.length / 2, 0));
  writer.u64(transaction.amount).u64(transaction.fee);
  writeV1?.(writer, asset);
  if (including.signature) writer.hex(signature ?? '');
  if (including.secondSignature) writer.hex(secondSignature ?? '');
  return writer.result();
};

/** A field that the type does not sign would not be proven by the id. */
const assertNothingElse = ({ amount, vendorField, recipientId }: Transaction, payload: Payload): void => {
  if (!payload.hasVendorField && vendorField !== null)
    throw new UnserialisableError('has a vendorField, which its type does not sign');
  if (!payload.hasAmount && amount > 0n)
    throw new UnserialisableError('has an amount, which its type does not sign');
  if (!payload.hasRecipient && recipientId !== null)
    throw new UnserialisableError('has a recipientId, which its type does not sign');
};

const writeHeader = (
  { nonce, timestamp }: Transaction,
  { version, type, typeGroup, hasNonce }: SignedForm,
  network: number,
): void => {
  writer.begin().u8(0xff).u8(version).u8(network);
  if (hasNonce) writer.u32(typeGroup).u16(type).u64(nonce!);
  // Core 2.4 and 2.5 sign a timestamp, and their own number of the type.
  else writer.u8(oldNumberOf(type)).u32(timestamp ?? 0);
};

/** The form of AIP 11. Nodes store transactions of version 1 in it too. */
const aip11Bytes = (
  transaction: Transaction,
  form: SignedForm,
  network: number,
  payload: Payload,
  fields: PayloadFields = transaction,
  including: WithSignatures = ALL_SIGNATURES,
): Buffer => {
  const { vendorField, signature, secondSignature, signatures } = transaction;
  writeHeader(transaction, form, network);
  writer.hex(transaction.senderPublicKey).u64(transaction.fee);
  if (payload.hasVendorField && vendorField !== null) writer.u8(vendorField.length / 2).hex(vendorField);
  else writer.u8(0);
  payload.write(writer, fields);
  if (including.signature) writer.hex(signature ?? '');
  if (including.secondSignature) writer.hex(secondSignature ?? '');
  if (including.signatures) for (const each of signatures ?? []) writer.hex(each);
  return writer.result();
};

const formOf = ({ version, typeGroup, type, nonce }: Transaction): SignedForm => ({
  version,
  typeGroup,
  type,
  hasNonce: nonce !== null,
});

/** Whether `transactionBytes` knows the type. */
export const isSerialisable = (transaction: Transaction): boolean =>
  payloadOf(formOf(transaction)) !== undefined;

/**
 * The bytes whose SHA-256 is the transaction's id (Core 2.4 to 3.9): AIP 11, or for version 1 the form before AIP 11.
 * `network` is the chain's `pubKeyHash`. Null for unknown types. Throws `UnserialisableError`. The result is valid until
 * the next call.
 */
export const transactionBytes = (
  transaction: Transaction,
  network: number,
  including: WithSignatures = ALL_SIGNATURES,
  find: FindPayload = payloadOf,
): Buffer | null => {
  const form = formOf(transaction);
  const payload = find(form);
  if (payload === undefined) return null;
  if (form.version === 1) return legacyBytes(transaction, including);
  assertNothingElse(transaction, payload);
  return aip11Bytes(transaction, form, network, payload, transaction, including);
};

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
