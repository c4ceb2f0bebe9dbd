import { decodeBase58, encodeBase58, TransactionType } from '@roundhouse/chain';
import { addressOfBytes } from '../address-bytes.js';
import type { ByteReader } from '../byte-reader.js';
import { bytesOfAddress, required, type Payload } from '../payload.js';
import { UnserialisableError } from '../unserialisable.error.js';

const KEY_BYTES = 33;
const HASH_BYTES = 32;
const ADDRESS_BYTES = 21;

const readAddress = (reader: ByteReader): string => addressOfBytes(reader.take(ADDRESS_BYTES));

const readKeys = (reader: ByteReader, count: number): string[] =>
  Array.from({ length: count }, () => reader.hex(KEY_BYTES));

const transfer: Payload = {
  hasVendorField: true,
  hasAmount: true,
  hasRecipient: true,
  write: (writer, { amount, expiration, recipientId }) => {
    writer
      .u64(amount)
      .u32(expiration)
      .bytes(bytesOfAddress(required(recipientId, 'recipientId')));
  },
  read: (reader) => ({ amount: reader.u64(), expiration: reader.u32(), recipientId: readAddress(reader) }),
};

const secondSignature: Payload = {
  write: (writer, { asset }) => {
    writer.hex(required(asset?.secondPublicKey, 'asset.signature.publicKey'));
  },
  read: (reader) => ({ asset: { secondPublicKey: reader.hex(KEY_BYTES) } }),
};

const delegateRegistration: Payload = {
  write: (writer, { asset }) => {
    writer.short(Buffer.from(required(asset?.username, 'asset.delegate.username')));
  },
  read: (reader) => ({ asset: { username: reader.shortText() } }),
};

const vote: Payload = {
  write: (writer, { asset }) => {
    const votes = required(asset?.votes, 'asset.votes');
    writer.u8(votes.length);
    for (const each of votes) writer.u8(each.startsWith('+') ? 1 : 0).hex(each.slice(1));
  },
  read: (reader) => {
    const votes = Array.from(
      { length: reader.u8() },
      () => `${reader.u8() === 1 ? '+' : '-'}${reader.hex(KEY_BYTES)}`,
    );
    return { asset: { votes } };
  },
};

const multiSignature: Payload = {
  write: (writer, { asset }) => {
    const { min, publicKeys } = required(asset?.multiSignature, 'asset.multiSignature');
    writer.u8(min).u8(publicKeys.length);
    for (const publicKey of publicKeys) writer.hex(publicKey);
  },
  read: (reader) => {
    const min = reader.u8();
    return { asset: { multiSignature: { min, publicKeys: readKeys(reader, reader.u8()) } } };
  },
};

/** Version 1. */
export const legacyMultiSignature: Payload = {
  write: (writer, { asset }) => {
    const { min, lifetime, keysgroup } = required(asset?.multiSignatureLegacy, 'asset.multiSignatureLegacy');
    writer.u8(min).u8(keysgroup.length).u8(lifetime);
    for (const key of keysgroup) writer.hex(key.slice(1));
  },
  read: (reader) => {
    const min = reader.u8();
    const count = reader.u8();
    const lifetime = reader.u8();
    const keysgroup = readKeys(reader, count).map((key) => `+${key}`);
    return { asset: { multiSignatureLegacy: { min, lifetime, keysgroup } } };
  },
};

const ipfs: Payload = {
  write: (writer, { asset }) => {
    const multihash = decodeBase58(required(asset?.ipfs, 'asset.ipfs'));
    if (multihash === null) throw new UnserialisableError('has an "asset.ipfs" that is not Base58 text');
    writer.bytes(multihash);
  },
  // A multihash states its function, then its length.
  read: (reader) => ({ asset: { ipfs: encodeBase58(reader.take(2 + reader.peek(1))) } }),
};

const multiPayment: Payload = {
  hasVendorField: true,
  write: (writer, { asset }) => {
    const payments = required(asset?.payments, 'asset.payments');
    writer.u16(payments.length);
    for (const { amount, recipientId } of payments) writer.u64(amount).bytes(bytesOfAddress(recipientId));
  },
  read: (reader) => {
    const payments = Array.from({ length: reader.u16() }, () => {
      const amount = reader.u64();
      return { recipientId: readAddress(reader), amount };
    });
    return { asset: { payments } };
  },
};

/** Only the sender matters. */
const delegateResignation: Payload = { write: () => undefined, read: () => ({}) };

const htlcLock: Payload = {
  hasVendorField: true,
  hasAmount: true,
  hasRecipient: true,
  write: (writer, { amount, asset, recipientId }) => {
    const { secretHash, expiration } = required(asset?.lock, 'asset.lock');
    writer
      .u64(amount)
      .hex(secretHash)
      .u8(expiration.type)
      .u32(expiration.value)
      .bytes(bytesOfAddress(required(recipientId, 'recipientId')));
  },
  read: (reader) => {
    const amount = reader.u64();
    const secretHash = reader.hex(HASH_BYTES);
    const expiration = { type: reader.u8(), value: reader.u32() };
    return { amount, asset: { lock: { secretHash, expiration } }, recipientId: readAddress(reader) };
  },
};

const htlcClaim: Payload = {
  write: (writer, { asset }) => {
    writer
      .hex(required(asset?.lockTransactionId, 'asset.claim.lockTransactionId'))
      .hex(required(asset?.unlockSecret, 'asset.claim.unlockSecret'));
  },
  read: (reader) => ({
    asset: { lockTransactionId: reader.hex(HASH_BYTES), unlockSecret: reader.hex(HASH_BYTES) },
  }),
};

const htlcRefund: Payload = {
  write: (writer, { asset }) => {
    writer.hex(required(asset?.lockTransactionId, 'asset.refund.lockTransactionId'));
  },
  read: (reader) => ({ asset: { lockTransactionId: reader.hex(HASH_BYTES) } }),
};

/** Type group 1. */
export const CORE_PAYLOADS: Readonly<Record<TransactionType, Payload>> = {
  [TransactionType.Transfer]: transfer,
  [TransactionType.SecondSignature]: secondSignature,
  [TransactionType.DelegateRegistration]: delegateRegistration,
  [TransactionType.Vote]: vote,
  [TransactionType.MultiSignature]: multiSignature,
  [TransactionType.Ipfs]: ipfs,
  [TransactionType.MultiPayment]: multiPayment,
  [TransactionType.DelegateResignation]: delegateResignation,
  [TransactionType.HtlcLock]: htlcLock,
  [TransactionType.HtlcClaim]: htlcClaim,
  [TransactionType.HtlcRefund]: htlcRefund,
};
