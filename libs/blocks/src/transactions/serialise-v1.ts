import {
  ADDRESS_BYTES,
  bytesOfAddress,
  oldNumberOf,
  UnserialisableError,
  v1Of,
  type ByteWriter,
  type Transaction,
} from '@roundhouse/chain';

/** Which signatures follow the fields. */
export interface WithSignatures {
  readonly signature: boolean;
  readonly secondSignature: boolean;
  /** Those of the members of a multi-signature account. */
  readonly signatures: boolean;
}

/** A vendor field is filled up with zeros to this length. */
const VENDOR_BYTES = 64;

/**
 * The bytes of version 1 (Core 2.4 to 3.9, `Serializer.getBytesV1`). They hold neither the network nor an expiration
 * nor the signatures of members.
 */
export const legacyBytes = (
  writer: ByteWriter,
  transaction: Transaction,
  including: WithSignatures,
): Buffer => {
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
