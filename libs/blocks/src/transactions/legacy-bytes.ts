import { oldNumberOf, TransactionType, type Transaction, type TransactionAsset } from '@roundhouse/chain';
import type { ByteWriter } from './byte-writer.js';
import { bytesOfAddress, required } from './payload.js';
import type { WithSignatures } from './serialise.js';
import { UnserialisableError } from './unserialisable.error.js';

const ADDRESS_BYTES = 21;
/** A vendor field is filled up with zeros to this length. */
const VENDOR_BYTES = 64;

/** Types whose recipient is not signed. */
const isWithoutRecipient = (type: number): boolean =>
  type === TransactionType.SecondSignature || type === TransactionType.MultiSignature;

const writeAsset = (writer: ByteWriter, type: number, asset: TransactionAsset | null): void => {
  switch (type) {
    case TransactionType.SecondSignature:
      writer.hex(required(asset?.secondPublicKey, 'asset.signature.publicKey'));
      break;
    case TransactionType.DelegateRegistration:
      writer.utf8(required(asset?.username, 'asset.delegate.username'));
      break;
    case TransactionType.Vote:
      writer.utf8(required(asset?.votes, 'asset.votes').join(''));
      break;
    case TransactionType.MultiSignature: {
      const { min, lifetime, keysgroup } = required(
        asset?.multiSignatureLegacy,
        'asset.multiSignatureLegacy',
      );
      writer.u8(min).u8(lifetime).utf8(keysgroup.join(''));
      break;
    }
    default:
      // An IPFS hash is not signed in version 1.
      break;
  }
};

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
  if (recipientId !== null && isWithoutRecipient(type))
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
  writeAsset(writer, type, asset);
  if (including.signature) writer.hex(signature ?? '');
  if (including.secondSignature) writer.hex(secondSignature ?? '');
  return writer.result();
};
