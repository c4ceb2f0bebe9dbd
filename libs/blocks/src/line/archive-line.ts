import {
  CORE_TYPE_GROUP,
  FIRST_CHANGED_NUMBER,
  mayExpire,
  oldNumberOf,
  rawAsset,
  signsExpiration,
  typeOfOldNumber,
  type Block,
  type Transaction,
} from '@roundhouse/chain';

/** Characters that JSON escapes; a line with such a text would not be in plain form. */
// eslint-disable-next-line no-control-regex
const ESCAPED = /["\\\u0000-\u001f]/;

/** Core's JSON has the vendor field as text, which cannot hold all bytes. */
const rawVendorField = (hex: string): { readonly [key: string]: string } => {
  const bytes = Buffer.from(hex, 'hex');
  const text = bytes.toString();
  const isPlain = Buffer.from(text).equals(bytes) && !ESCAPED.test(text);
  return isPlain ? { vendorField: text } : { vendorFieldHex: hex };
};

/**
 * Core 2.4 and 2.5 have no type groups, and they number some types differently. A transaction of version 1 whose type
 * has always had the same number is written with the type group, as later versions of Core write it.
 */
const rawType = ({ version, nonce, typeGroup, type }: Transaction): object => {
  if (nonce !== null || (version === 1 && type < FIRST_CHANGED_NUMBER)) return { typeGroup, type };
  const old = typeGroup === CORE_TYPE_GROUP ? oldNumberOf(type) : type;
  const read = typeOfOldNumber(old);
  // A type that these versions did not have must not be read as another one, whose id may be right.
  return read.typeGroup === typeGroup && read.type === type ? { type: old } : { typeGroup, type };
};

/** Transfers are written with an expiration of 0, too, as Core writes them. */
const hasExpiration = ({ version, typeGroup, type, expiration }: Transaction): boolean =>
  signsExpiration(version, typeGroup, type) || (expiration > 0 && mayExpire(version, typeGroup, type));

/** In the order of Core's own JSON. */
export const rawTransaction = (transaction: Transaction) => {
  const { version, network, timestamp, nonce, recipientId, vendorField, asset } = transaction;
  const { signature, secondSignature, signatures } = transaction;
  return {
    version,
    ...(network === null ? {} : { network }),
    ...rawType(transaction),
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
