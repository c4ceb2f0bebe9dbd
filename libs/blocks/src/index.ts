export { computeBlockId, computePayloadHash, headerBytes } from './checks/block-id.js';
export { assertLinked, checkBlock, type BlockRules } from './checks/check-block.js';
export { isBlockSigned, isSigned, type Signed } from './checks/signature.js';
export { decodeBlock, decodeHeader, decodeRef, decodeTransformedHeader } from './decode/block.js';
export { decodeTransaction, decodeTransformedTransaction } from './decode/transaction.js';
export { archiveLine, rawBlock, rawTransaction } from './line/archive-line.js';
export { asRead } from './line/as-read.js';
export { postedBlock, postedTransaction, postedWithTransactions } from './line/posted-json.js';
export {
  problemOfAccountSignatures,
  type AccountKeys,
  type HashWith,
} from './transactions/account-signatures.js';
export { problemOfBlockSignatures, senderCheck } from './transactions/transaction-signatures.js';
export { computeTransactionId, serialise, storedBytes } from './transactions/serialise.js';
export type { TransactionRules } from './transactions/transaction-id.js';
