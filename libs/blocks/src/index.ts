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
export { decodeBlock, decodeHeader, decodeRef, decodeTransaction } from './decode/block.js';
export { decodeTransformedHeader, decodeTransformedTransaction } from './decode/transformed.js';
export { archiveLine, rawBlock, rawTransaction } from './line/archive-line.js';
export { asRead } from './line/as-read.js';
export { postedBlock, postedTransaction, postedWithTransactions } from './line/posted-json.js';
export {
  problemOfAccountSignatures,
  type AccountKeys,
  type HashWith,
} from './transactions/account-signatures.js';
export { senderCheck, type TransactionRules } from './transactions/check-transactions.js';
export { computeTransactionId, serialise, storedBytes } from './transactions/serialise.js';
