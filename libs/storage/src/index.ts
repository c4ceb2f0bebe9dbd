export { readBackupState, type Backup, type BackupState } from './backups.js';
export { NodeAccountsReader } from './dialect/node-accounts.reader.js';
export { NodeBlockListReader } from './dialect/node-block-list.reader.js';
export type { NodeTransactionRow } from './dialect/node-transaction.js';
export { NodeTransactionsReader } from './dialect/node-transactions.reader.js';
export { LIST_CONNECTIONS, ListPool } from './dialect/list-pool.js';
export {
  NodeDelegatesReader,
  streamNodeVoters,
  type NodeDelegateSort,
  type NodeDirection,
} from './dialect/node-delegates.reader.js';
export { NodeBlocksReader } from './dialect/node-blocks.reader.js';
export { QueryTooLongError } from './dialect/query-too-long.error.js';
export { advanceCheckpoint, type AdvanceOptions } from './checkpoint/advance-checkpoint.js';
export { CheckpointRefusedError } from './checkpoint/checkpoint-refused.error.js';
export {
  readVerificationState,
  recordVerification,
  type Verification,
  type VerificationState,
} from './checkpoint/last-verification.js';
export { isBehindPooler } from './behind-pooler.js';
export { digestTables, type IndexDigest, type TableDigest } from './digest.js';
export { readIndexStatus, type IndexStatus } from './follow/index-status.js';
export { claimNetwork, readNetwork } from './follow/network-row.js';
export {
  findBlockId,
  listForgers,
  readPosition,
  writeSourceStatus,
  type Position,
} from './follow/position.js';
export { AccountsReader, type AccountRecord, type PlaceByBalance } from './reader/accounts.reader.js';
export { BlocksReader } from './reader/blocks.reader.js';
export type { ChainState, HeadRecord, NetworkRecord } from './reader/chain-state.reader.js';
export { DatabaseUnavailableError } from './reader/database-unavailable.error.js';
export { DelegatesReader, streamVoters, type ForgedTotals } from './reader/delegates.reader.js';
export { EventsReader, type ChainEvent } from './reader/events.reader.js';
export {
  ABOVE_ALL_HEIGHTS,
  HistoryAccountsReader,
  type PastAccount,
} from './reader/history-accounts.reader.js';
export type { DelegateName, FoundAt } from './reader/history-at-head.js';
export {
  HistoryDelegatesReader,
  streamPastDelegates,
  streamPastVoters,
} from './reader/history-delegates.reader.js';
export { HeadPassedError } from './reader/head-passed.error.js';
export { HeadWatcher } from './reader/head-watcher.js';
export { NoHistoryError } from './reader/no-history.error.js';
export { PayoutsReader } from './reader/payouts.reader.js';
export { readerDataSourceOptions } from './reader/reader-options.js';
export { RankedDelegatesReader } from './reader/ranked-delegates.reader.js';
export { patientPool, type ReaderPool } from './reader/reader-pool.js';
export { RoundsReader } from './reader/rounds.reader.js';
export { RowStreams } from './reader/row-streams.js';
export { StatusReader, type RoundState } from './reader/status.reader.js';
export {
  TransactionsReader,
  type PlaceInChain,
  type TransactionRecord,
  type TransactionsPage,
} from './reader/transactions.reader.js';
export { rebuildIndex, type RebuildOptions, type RebuildReport } from './rebuild/rebuild-index.js';
export { resetIndex } from './reset.js';
export { beginShared, copyRange, listPageRanges, type PageRange } from './snapshot/dump-tables.js';
export { proveState } from './snapshot/prove-state.js';
export { findNewestBlock, ownsTables, readClaim, type IndexClaim } from './snapshot/read-claim.js';
export { restoreTables } from './snapshot/restore-tables.js';
export { SnapshotMismatchError } from './snapshot/snapshot-mismatch.error.js';
export { columnsOf, SNAPSHOT_TABLES } from './snapshot/snapshot-tables.js';
export {
  contentsHash,
  forgetRefusals,
  listRefusedContents,
  readRefusedBlock,
  refuseBlock,
  type RefusedBlock,
  type RefusedContents,
} from './staging/refused-blocks.js';
export {
  countStagedBytes,
  dropStagedAt,
  listStagedRanges,
  readStagedBlocks,
  stageBlocks,
  type StagedRange,
} from './staging/staged-ranges.js';
export { blockIdText, forgerKeys, SELECT_BLOCKS, selectFrom } from './table-sql.js';
export { listRoundDigests } from './round-digests.js';
export type { RowDifference, TableDifferences } from './verify/compare-tables.js';
export { readDelegatesAtHead, readVotersAtHead } from './verify/delegates-at-head.js';
export { storedBlocks } from './verify/stored-blocks.js';
export { verifyIndex, type IndexReport } from './verify/verify-index.js';
export type { Batch } from './writer/change-steps.js';
export { EncodedBlocks } from './writer/encoded-blocks.js';
export { HeadMovedError } from './writer/head-moved.error.js';
export { isRefusedRow } from './writer/is-refused-row.js';
export { IndexWriter } from './writer/index-writer.js';
export { loadLedger, readHasHistory } from './writer/load-ledger.js';
export { UndoOutOfReachError } from './writer/undo-out-of-reach.error.js';
export { adviceToReach, readUndoReach, type UndoReach } from './writer/undo-reach.js';
export { undoTo } from './writer/undo-to.js';
