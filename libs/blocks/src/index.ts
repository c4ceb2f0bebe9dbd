export {
  assertLinked,
  checkBlock,
  computeBlockId,
  computePayloadHash,
  headerBytes,
  isBlockSigned,
  problemOfBlockSignatures,
  type BlockRules,
} from './checks/check-block.js';
export { isSigned, type Signed } from './checks/signature.js';
export {
  archiveLine,
  decodeBlock,
  decodeHeader,
  decodeRef,
  decodeTransaction,
  rawBlock,
  rawTransaction,
} from './json/raw-block.js';
export { decodeTransformedHeader, decodeTransformedTransaction } from './json/transformed.js';
export { asRead } from './json/as-read.js';
export { postedBlock, postedTransaction, postedWithTransactions } from './json/posted-json.js';
export {
  problemOfAccountSignatures,
  type AccountKeys,
  type HashWith,
} from './transactions/account-signatures.js';
export { senderCheck, type TransactionRules } from './transactions/check-transactions.js';
export { computeTransactionId, serialise, storedBytes } from './transactions/other-bytes.js';
