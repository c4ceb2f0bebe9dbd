import {
  amountOf,
  blockIdOf,
  byteOf,
  CORE_TYPE_GROUP,
  countOf,
  decodeAsset,
  decodeEach,
  hashOf,
  heightOf,
  hexOf,
  isAbsent,
  isKnownType,
  isNoBlockId,
  isUint32,
  listOf,
  mayExpire,
  NO_BLOCK_ID,
  objectOf,
  optionalHexOf,
  optionalTextOf,
  publicKeyOf,
  rawAsset,
  signsExpiration,
  typeOfOldNumber,
  uint32Of,
  vendorFieldOf,
  within,
  type Block,
  type BlockHeader,
  type BlockRef,
  type JsonObject,
  type Transaction,
} from '@roundhouse/chain';
import { rawTypeWithoutNonce, rawVendorField, signaturesOf } from './rare-fields.js';
import { readSerialised } from './serialised.js';

// A block in the form of Core's own JSON: reads it from nodes and archives, and writes it.

// The genesis block's previous block is null, absent or zeros, depending on the source.
export const previousIdOf = (record: JsonObject, key: string, height: number): string =>
  height === 1 && (isAbsent(record, key) || isNoBlockId(record[key])) ? NO_BLOCK_ID : blockIdOf(record, key);

/** Decodes the height and the id of a block. */
export const decodeRef = (value: unknown): BlockRef => {
  const block = objectOf(value);
  return { height: heightOf(block, 'height'), id: blockIdOf(block, 'id') };
};

/**
 * Decodes a raw header: from a peer, an archive, a database row with camel-case names, or 3.x with
 * `transform=false`.
 */
export const decodeHeader = (value: unknown): BlockHeader => {
  const block = objectOf(value);
  const height = heightOf(block, 'height');
  return {
    height,
    id: blockIdOf(block, 'id'),
    version: countOf(block, 'version'),
    timestamp: countOf(block, 'timestamp'),
    previousBlock: previousIdOf(block, 'previousBlock', height),
    numberOfTransactions: countOf(block, 'numberOfTransactions'),
    totalAmount: amountOf(block, 'totalAmount'),
    totalFee: amountOf(block, 'totalFee'),
    reward: amountOf(block, 'reward'),
    payloadLength: countOf(block, 'payloadLength'),
    payloadHash: hashOf(block, 'payloadHash'),
    generatorPublicKey: publicKeyOf(block, 'generatorPublicKey'),
    blockSignature: hexOf(block, 'blockSignature'),
  };
};

/** Core 2.4 and 2.5 have neither type groups nor nonces. */
export const typeOf = (transaction: JsonObject): { readonly typeGroup: number; readonly type: number } => {
  const type = countOf(transaction, 'type');
  const isOld = isAbsent(transaction, 'typeGroup') && isAbsent(transaction, 'nonce');
  return isOld
    ? typeOfOldNumber(type)
    : { typeGroup: countOf(transaction, 'typeGroup', CORE_TYPE_GROUP), type };
};

/** In an unknown type it may be anything; only a height is kept. */
const expirationOf = (transaction: JsonObject, version: number, typeGroup: number, type: number): number => {
  if (isAbsent(transaction, 'expiration') || !mayExpire(version, typeGroup, type)) return 0;
  const isHeight = isKnownType(typeGroup, type) || isUint32(transaction['expiration']);
  return isHeight ? uint32Of(transaction, 'expiration') : 0;
};

/** `timestampOf` reads when the transaction was made, if it has no nonce. */
export const decodeWith = (
  transaction: JsonObject,
  recipientId: string | null,
  timestampOf: (transaction: JsonObject) => number,
): Transaction => {
  const { typeGroup, type } = typeOf(transaction);
  const version = countOf(transaction, 'version', 1);
  // Core 3 adds nonces to transactions of version 1, although their senders signed none.
  const nonce = version === 1 || isAbsent(transaction, 'nonce') ? null : amountOf(transaction, 'nonce');
  return {
    id: hashOf(transaction, 'id'),
    version,
    network: isAbsent(transaction, 'network') ? null : byteOf(transaction, 'network'),
    type,
    typeGroup,
    timestamp: nonce === null ? timestampOf(transaction) : null,
    nonce,
    senderPublicKey: publicKeyOf(transaction, 'senderPublicKey'),
    recipientId,
    amount: amountOf(transaction, 'amount'),
    fee: amountOf(transaction, 'fee'),
    expiration: expirationOf(transaction, version, typeGroup, type),
    vendorField: vendorFieldOf(transaction),
    asset: decodeAsset(transaction, typeGroup, type),
    signature: optionalHexOf(transaction, 'signature'),
    secondSignature:
      optionalHexOf(transaction, 'secondSignature') ?? optionalHexOf(transaction, 'signSignature'),
    signatures: isAbsent(transaction, 'signatures') ? null : signaturesOf(transaction),
  };
};

/**
 * Decodes a raw transaction: from a peer, an archive, 3.x with `transform=false`, or a database row with `serialized`.
 */
export const decodeTransaction = (value: unknown): Transaction => {
  const transaction = objectOf(value);
  if (!isAbsent(transaction, 'serialized')) {
    // Bytes can have values that no line and no table holds, so their fields are decoded like those of any other source.
    const raw = rawTransaction(readSerialised(transaction));
    return within('serialized', () => decodeTransaction(raw));
  }
  return decodeWith(transaction, optionalTextOf(transaction, 'recipientId'), (raw) =>
    countOf(raw, 'timestamp', 0),
  );
};

/** Decodes a raw block with its transactions, in payload order: a line of an archive. */
export const decodeBlock = (value: unknown): Block => {
  const block = objectOf(value);
  const header = decodeHeader(block);
  const list = listOf(block, 'transactions');
  const transactions =
    list.length === 0 ? [] : within('transactions', () => decodeEach(list, decodeTransaction));
  return { ...header, transactions };
};

/** Transfers are written with an expiration of 0, too, as Core writes them. */
const hasExpiration = ({ version, typeGroup, type, expiration }: Transaction): boolean =>
  signsExpiration(version, typeGroup, type) || (expiration > 0 && mayExpire(version, typeGroup, type));

/** In the order of Core's own JSON. */
export const rawTransaction = (transaction: Transaction) => {
  const { version, network, typeGroup, type, timestamp, nonce, recipientId, vendorField, asset } =
    transaction;
  const { signature, secondSignature, signatures } = transaction;
  return {
    version,
    ...(network === null ? {} : { network }),
    ...(nonce === null ? rawTypeWithoutNonce(transaction) : { typeGroup, type }),
    ...(nonce === null ? { timestamp } : { nonce: nonce.toString() }),
    senderPublicKey: transaction.senderPublicKey,
    fee: transaction.fee.toString(),
    amount: transaction.amount.toString(),
    ...(vendorField === null ? {} : rawVendorField(vendorField)),
    ...(hasExpiration(transaction) ? { expiration: transaction.expiration } : {}),
    ...(recipientId === null ? {} : { recipientId }),
    ...(asset === null ? {} : { asset: rawAsset(transaction, asset) }),
    ...(signature === null ? {} : { signature }),
    ...(secondSignature === null ? {} : { secondSignature }),
    ...(signatures === null ? {} : { signatures }),
    id: transaction.id,
  };
};

/** A block in the form of Core's own JSON, and in its order. */
export const rawBlock = (block: Block) => ({
  id: block.id,
  version: block.version,
  timestamp: block.timestamp,
  previousBlock: block.previousBlock,
  height: block.height,
  numberOfTransactions: block.numberOfTransactions,
  totalAmount: block.totalAmount.toString(),
  totalFee: block.totalFee.toString(),
  reward: block.reward.toString(),
  payloadLength: block.payloadLength,
  payloadHash: block.payloadHash,
  generatorPublicKey: block.generatorPublicKey,
  blockSignature: block.blockSignature,
  transactions: block.transactions.map(rawTransaction),
});

/** A block as one line of an archive, without the line break. `decodeBlock` reads exactly this block from it. */
export const archiveLine = (block: Block): string => JSON.stringify(rawBlock(block));
