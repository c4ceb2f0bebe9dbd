export {
  computeBlockId,
  headerBytes,
  isFullId,
  writeBlockId,
  writeHex,
  computePayloadHash,
} from './checks/block-id.js';
export {
  assertLinked,
  checkBlock,
  checkText,
  isExcepted,
  isExceptedText,
  type BlockRules,
} from './checks/check-block.js';
export { isBlockSigned, isSigned, signatureOf, type Signed } from './checks/signature.js';
export { decodeAsset } from './fields/asset.js';
export {
  amountOf,
  blockIdOf,
  byteOf,
  countOf,
  hashOf,
  heightOf,
  hexOf,
  isAbsent,
  isNoBlockId,
  isUint32,
  listOf,
  objectOf,
  optionalHexOf,
  optionalTextOf,
  publicKeyOf,
  textOf,
  uint32Of,
  vendorFieldOf,
  type JsonObject,
  decodeEach,
  ShapeError,
  within,
} from './fields/fields.js';
export { signaturesOf } from './fields/signatures.js';
export { archiveLine, rawBlock, rawTransaction } from './line/archive-line.js';
export { LineReader } from './line/line-reader.js';
export { fillText, textOfBlock } from './line/text-of-block.js';
export {
  blockOfText,
  AmountText,
  BlockText,
  isEmpty,
  NONE,
  Span,
  type CountText,
  type TransactionText,
} from './text/block-text.js';
export {
  addAccountSignatures,
  problemOfAccountSignatures,
  type AccountKeys,
  type AccountSignatures,
  type SignaturesById,
} from './transactions/account-signatures.js';
export { addressBytes } from './transactions/address-bytes.js';
export { deserialiseTransaction, typeByIdOf, type Deserialised } from './transactions/deserialise.js';
export { computeTransactionId, serialise } from './transactions/bytes-of-transaction.js';
export type { Payload } from './transactions/payload.js';
export { payloadOf, type FindPayload } from './transactions/payload-of.js';
export { storedBytes } from './transactions/serialise.js';
export { transactionSignaturesOf, type TransactionSignature } from './transactions/transaction-signatures.js';
export type { TransactionRules } from './transactions/transaction-id.js';
export { UnserialisableError } from './transactions/unserialisable.error.js';
export { areBytes, copyBytes, viewOf, type ViewedBytes } from './text/words.js';
