import {
  addressOf,
  ByteReader,
  CORE_TYPE_GROUP,
  KEY_BYTES,
  KNOWN_TYPES,
  payloadOf,
  sha256As,
  TransactionType,
  typeOfOldNumber,
  UnserialisableError,
  type KnownType,
  type Transaction,
} from '@roundhouse/chain';

const MARKER = 0xff;
const SCHNORR_BYTES = 64;
/** The member's index, and a Schnorr signature. */
const MEMBER_BYTES = 65;

type Signatures = Pick<Transaction, 'signature' | 'secondSignature' | 'signatures'>;

/** DER: two bytes of header, the second of which states the length of the rest. */
const readEcdsa = (reader: ByteReader): string => reader.hex(2 + reader.peek(1));

const readEcdsaSignatures = (reader: ByteReader): Signatures => {
  const signature = reader.left > 0 ? readEcdsa(reader) : null;
  const secondSignature = reader.left > 0 && reader.peek() !== MARKER ? readEcdsa(reader) : null;
  let signatures: string[] | null = null;
  // Version 1 marks the beginning of the members' signatures, and does not separate them.
  if (reader.left > 0 && reader.peek() === MARKER) {
    reader.u8();
    signatures = [reader.hex(reader.left)];
  }
  return { signature, secondSignature, signatures };
};

const readSchnorrSignatures = (reader: ByteReader): Signatures => {
  const hasSingle = (): boolean =>
    reader.left > 0 && (reader.left % SCHNORR_BYTES === 0 || reader.left % MEMBER_BYTES !== 0);
  const signature = hasSingle() ? reader.hex(SCHNORR_BYTES) : null;
  const secondSignature = hasSingle() ? reader.hex(SCHNORR_BYTES) : null;
  const count = Math.floor(reader.left / MEMBER_BYTES);
  const signatures = Array.from({ length: count }, () => reader.hex(MEMBER_BYTES));
  return { signature, secondSignature, signatures: count > 0 ? signatures : null };
};

/** Core knows the kinds of signatures only by their total length. */
const isSchnorr = (length: number): boolean =>
  length === SCHNORR_BYTES ||
  length === 2 * SCHNORR_BYTES ||
  [0, SCHNORR_BYTES, 2 * SCHNORR_BYTES].some((singles) => (length - singles) % MEMBER_BYTES === 0);

/** Version 1 names the voter as the recipient of its vote (Core, `applyV1Compatibility`). */
const recipientOfVote = (senderPublicKey: string, network: number): string =>
  addressOf(senderPublicKey, network);

/** If the type is unknown, so is the layout of the bytes after the header. */
const UNREAD = {
  recipientId: null,
  amount: null,
  expiration: 0,
  asset: null,
  signature: null,
  secondSignature: null,
  signatures: null,
};

/** The amount is null if the type is unknown: then only the header was read. */
export type Deserialised = Omit<Transaction, 'id' | 'amount'> & { readonly amount: bigint | null };

const read = (reader: ByteReader, hasTypeGroups: boolean): Deserialised => {
  if (reader.u8() !== MARKER) throw new UnserialisableError('does not begin with the byte ff');
  const version = reader.u8();
  const network = reader.u8();
  const hasNonce = version > 1 && hasTypeGroups;
  const { typeGroup, type } = hasNonce
    ? { typeGroup: reader.u32(), type: reader.u16() }
    : typeOfOldNumber(reader.u8());
  const nonce = hasNonce ? reader.u64() : null;
  const timestamp = hasNonce ? null : reader.u32();
  const senderPublicKey = reader.hex(KEY_BYTES);
  const fee = reader.u64();
  const vendorField = reader.short().toString('hex') || null;
  const header = { version, network, type, typeGroup, timestamp, nonce, senderPublicKey, fee, vendorField };
  const payload = payloadOf({ version, typeGroup, type, hasNonce });
  if (payload === undefined) return { ...header, ...UNREAD };
  const fields = payload.read(reader);
  const isLegacyVote = version === 1 && typeGroup === CORE_TYPE_GROUP && type === TransactionType.Vote;
  const signatures =
    version > 1 && isSchnorr(reader.left) ? readSchnorrSignatures(reader) : readEcdsaSignatures(reader);
  if (reader.left > 0) throw new UnserialisableError(`has ${reader.left} bytes too many`);
  return {
    ...header,
    recipientId: isLegacyVote ? recipientOfVote(senderPublicKey, network) : (fields.recipientId ?? null),
    amount: fields.amount ?? 0n,
    // In version 1, the id does not cover the expiration.
    expiration: version > 1 ? (fields.expiration ?? 0) : 0,
    asset: fields.asset ?? null,
    ...signatures,
  };
};

/** Where the type group and the type are in the bytes of a transaction with a nonce. */
const TYPE_GROUP_AT = 3;
const TYPE_AT = 7;

/**
 * The known type that these bytes had when they gave the id, if only their type was changed since. The bytes must be those
 * of a transaction with a nonce.
 */
export const typeByIdOf = (bytes: Buffer, id: string): KnownType | null => {
  const changed = Buffer.from(bytes);
  const isOf = ({ typeGroup, type }: KnownType): boolean => {
    changed.writeUInt32LE(typeGroup, TYPE_GROUP_AT);
    changed.writeUInt16LE(type, TYPE_AT);
    return sha256As('hex', changed) === id;
  };
  return KNOWN_TYPES.find(isOf) ?? null;
};

/**
 * The fields of a transaction that a Core node stored in `serialized`. `hasTypeGroups`: whether the node is of 2.6 or
 * later. Throws `UnserialisableError`.
 */
export const deserialiseTransaction = (bytes: Buffer, hasTypeGroups: boolean): Deserialised => {
  try {
    return read(new ByteReader(bytes), hasTypeGroups);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UnserialisableError(`is cut off: ${error.message}`);
  }
};
