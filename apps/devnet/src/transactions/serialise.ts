import { CORE_TYPE_GROUP, sha256, TransactionType } from '@roundhouse/chain';
import { addressBytes } from './address-bytes.js';
import { ByteWriter } from './byte-writer.js';
import type { Signatures, UnsignedTransaction } from './raw-transaction.js';
import { payloadOf } from './transaction-types.js';

/** The bytes that version 1 reserves for the vendor field, and for an address. */
const LEGACY_VENDOR_BYTES = 64;
const ADDRESS_BYTES = 21;

const legacyAsset = ({ type, asset }: UnsignedTransaction): string => {
  if (type === TransactionType.DelegateRegistration) return asset?.delegate?.username ?? '';
  if (type === TransactionType.Vote) return (asset?.votes ?? []).join('');
  return '';
};

/** Version 1, used in the genesis block (Core 3.x, `Serializer.getBytesV1`). */
const legacyBytes = (transaction: UnsignedTransaction, { signature }: Signatures): Buffer => {
  const { type, timestamp, senderPublicKey, recipientId, amount, fee } = transaction;
  return new ByteWriter()
    .u8(type)
    .u32(timestamp ?? 0)
    .hex(senderPublicKey)
    .bytes(recipientId === undefined ? Buffer.alloc(ADDRESS_BYTES) : addressBytes(recipientId))
    .bytes(Buffer.alloc(LEGACY_VENDOR_BYTES))
    .u64(BigInt(amount))
    .u64(BigInt(fee))
    .bytes(Buffer.from(legacyAsset(transaction), 'utf8'))
    .hex(signature ?? '')
    .result();
};

/** Types 0, 6 and 8 and unknown types have a vendor field. For others its length is always 0. */
const hasVendorField = ({ typeGroup, type }: UnsignedTransaction): boolean =>
  typeGroup === CORE_TYPE_GROUP &&
  (type === TransactionType.Transfer ||
    type === TransactionType.MultiPayment ||
    type === TransactionType.HtlcLock);

/** The bytes of a transaction with the given signatures (Core 3.x, AIP 11). Throws if a part is missing. */
export const serialise = (transaction: UnsignedTransaction, signatures: Signatures): Buffer => {
  if (transaction.version === 1) return legacyBytes(transaction, signatures);
  const { version, network, typeGroup, type, nonce, senderPublicKey, fee, vendorField } = transaction;
  const writer = new ByteWriter()
    .u8(0xff, version, network)
    .u32(typeGroup)
    .u16(type)
    .u64(BigInt(nonce))
    .hex(senderPublicKey)
    .u64(BigInt(fee))
    .short(Buffer.from(hasVendorField(transaction) ? (vendorField ?? '') : '', 'utf8'));
  payloadOf(typeGroup, type)(writer, transaction);
  const { signature = '', secondSignature = '', signatures: members = [] } = signatures;
  return writer.hex(signature).hex(secondSignature).hex(members.join('')).result();
};

/** The hash that is signed; with all signatures, the transaction's id. */
export const transactionHash = (transaction: UnsignedTransaction, signatures: Signatures): Buffer =>
  sha256(serialise(transaction, signatures));
