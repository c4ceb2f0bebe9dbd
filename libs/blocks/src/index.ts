export { computeBlockId, computePayloadHash, headerBytes } from './checks/block-id.js';
export { assertLinked, checkBlock, isExcepted, type BlockRules } from './checks/check-block.js';
export { isBlockSigned, isSigned, type Signed } from './checks/signature.js';
export { decodeBlock, decodeHeader, decodeRef, decodeTransformedHeader } from './decode/block.js';
export { decodeTransaction, decodeTransformedTransaction } from './decode/transaction.js';
export {
  amountOf,
  blockIdOf,
  countOf,
  heightOf,
  isAbsent,
  listOf,
  objectOf,
  publicKeyOf,
  ShapeError,
  textOf,
  type JsonObject,
} from './fields/fields.js';
export { archiveLine, rawBlock, rawTransaction } from './line/archive-line.js';
export { asRead } from './line/as-read.js';
export {
  accountSignaturesProblem,
  problemOfAccountSignatures,
  type AccountKeys,
  type HashWith,
} from './transactions/account-signatures.js';
export { addressBytes } from './transactions/address-bytes.js';
export type { Payload } from './transactions/payload.js';
export { payloadOf, type FindPayload } from './transactions/payload-of.js';
export { computeTransactionId, serialise, storedBytes } from './transactions/serialise.js';
export { transactionSignaturesOf, type TransactionSignature } from './transactions/transaction-signatures.js';
export type { TransactionRules } from './transactions/transaction-id.js';
export { UnserialisableError } from './transactions/unserialisable.error.js';
