import {
  ByteWriter,
  oldNumberOf,
  payloadOf,
  UnserialisableError,
  type FindPayload,
  type Payload,
  type PayloadFields,
  type SignedForm,
  type Transaction,
} from '@roundhouse/chain';
import { legacyBytes, type WithSignatures } from './serialise-v1.js';

const ALL_SIGNATURES: WithSignatures = { signature: true, secondSignature: true, signatures: true };
export const UNSIGNED: WithSignatures = { signature: false, secondSignature: false, signatures: false };

const writer = new ByteWriter();

/** A field that the type does not sign would not be proven by the id. */
const assertNothingElse = ({ amount, vendorField, recipientId }: Transaction, payload: Payload): void => {
  if (!payload.hasVendorField && vendorField !== null)
    throw new UnserialisableError('has a vendorField, which its type does not sign');
  if (!payload.hasAmount && amount > 0n)
    throw new UnserialisableError('has an amount, which its type does not sign');
  if (!payload.hasRecipient && recipientId !== null)
    throw new UnserialisableError('has a recipientId, which its type does not sign');
};

/** The form of AIP 11. Nodes store transactions of version 1 in it too. */
export const aip11Bytes = (
  transaction: Transaction,
  { version, type, typeGroup, hasNonce }: SignedForm,
  network: number,
  payload: Payload,
  fields: PayloadFields = transaction,
  including: WithSignatures = ALL_SIGNATURES,
): Buffer => {
  const { vendorField, signature, secondSignature, signatures } = transaction;
  writer.begin().u8(0xff).u8(version).u8(network);
  if (hasNonce) writer.u32(typeGroup).u16(type).u64(transaction.nonce!);
  // Core 2.4 and 2.5 sign a timestamp, and their own number of the type.
  else writer.u8(oldNumberOf(type)).u32(transaction.timestamp ?? 0);
  writer.hex(transaction.senderPublicKey).u64(transaction.fee);
  if (payload.hasVendorField && vendorField !== null) writer.u8(vendorField.length / 2).hex(vendorField);
  else writer.u8(0);
  payload.write(writer, fields);
  if (including.signature) writer.hex(signature ?? '');
  if (including.secondSignature) writer.hex(secondSignature ?? '');
  if (including.signatures) for (const each of signatures ?? []) writer.hex(each);
  return writer.result();
};

export const formOf = ({ version, typeGroup, type, nonce }: Transaction): SignedForm => ({
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
  if (form.version === 1) return legacyBytes(writer, transaction, including);
  assertNothingElse(transaction, payload);
  return aip11Bytes(transaction, form, network, payload, transaction, including);
};
