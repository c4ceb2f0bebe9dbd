export { readBackupState, type Backup, type BackupState } from './backups.js';
export {
  CertificateRefusedError,
  listCertifiedHeights,
  makeCertificate,
  type MadeCertificate,
} from './certificate/make-certificate.js';
export { advanceCheckpoint, type AdvanceOptions } from './checkpoint/advance-checkpoint.js';
export { CheckpointRefusedError } from './checkpoint/prove-checkpoint.js';
export {
  readVerificationState,
  recordVerification,
  type Verification,
  type VerificationState,
} from './checkpoint/last-verification.js';
export { digestTables, type IndexDigest, type TableDigest } from './digest.js';
export {
  noteEndProblem,
  readChainEnd,
  recordEndProof,
  settleChainEnd,
  writeChainEnd,
  type ChainEnd,
} from './status/chain-end.js';
export {
  BLOCK_TABLES,
  STATE_TABLES,
  type ExportedColumn,
  type ExportedRow,
  type ExportedTable,
  type ExportedType,
} from './export/exported-tables.js';
export { copyNodeTable, NODE_TABLES, prepareNodeCopies } from './export/node-copy.js';
export { PARTITION_HEIGHTS, partitionFrom, type Partition, type Partitioning } from './export/partitions.js';
export { pagesOf } from './pages-of.js';
export { readIndexStatus, type IndexStatus } from './status/index-status.js';
export { claimNetwork } from './status/claim-network.js';
export { listForgers } from './status/list-forgers.js';
export {
  findBlockId,
  readNetwork,
  readPosition,
  writeSourceStatus,
  type Position,
} from './status/position.js';
export { rebuildIndex, type RebuildOptions, type RebuildReport } from './rebuild/rebuild-index.js';
export { resetIndex } from './reset.js';
export { beginShared, countRows, liftLimits, sortedRows } from './snapshot/dump-tables.js';
export { proveState } from './snapshot/prove-state.js';
export { findNewestBlock, ownsTables, readClaim, type IndexClaim } from './snapshot/read-claim.js';
export { allOrNone, restoreTables } from './snapshot/restore-tables.js';
export { SnapshotMismatchError } from './snapshot/read-claim.js';
export {
  columnsOf,
  heightColumnOf,
  LARGE_TABLES,
  SNAPSHOT_TABLES,
  snapshotTablesOf,
} from './snapshot/snapshot-tables.js';
export type { SortedRows } from './snapshot/sorted-rows.js';
export {
  contentsHash,
  forgetRefusals,
  listRefusedContents,
  readRefusedBlock,
  refuseBlock,
  type RefusedBlock,
  type RefusedContents,
} from './staging/refused-blocks.js';
export { countStagedBytes } from './staging/count-staged.js';
export { dropStagedAt } from './staging/drop-staged.js';
export {
  listStagedRanges,
  readStagedBlocks,
  stageBlocks,
  type StagedRange,
} from './staging/staged-ranges.js';
export { listRoundDigests } from './round-digests.js';
export { findAddress, findHeightOfTime, listStatement, readStatementEnds } from './statement.js';
export type { RowDifference, TableDifferences } from './verify/compare-tables.js';
export { readDelegatesAtHead, readVotersAtHead } from './verify/delegates-at-head.js';
export { findFirstMoved, readUnknownTypes, type UnknownType } from './unknown-types.js';
export { storedBlocks } from './verify/stored-blocks.js';
export { verifyIndex, type IndexReport, type VerifyOptions } from './verify/verify-index.js';
export {
  advanceReceiver,
  areEventsLeft,
  countWaiting,
  findReceiver,
  listDueWebhooks,
  listWaiting,
  noteFailedPost,
  pruneEvents,
  type Receiver,
  type WaitingEvent,
} from './webhooks/deliveries.js';
export { KNOWN_EVENTS } from './webhooks/events-of-block.js';
export {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  updateWebhook,
  type Webhook,
  type WebhookContent,
} from './webhooks/registrations.js';
export type { Batch } from './writer/change-steps.js';
export { HeadMovedError } from './writer/move-head.js';
export { inTransaction } from './writer/in-transaction.js';
export { isRefusedRow, isReplay } from './writer/is-refused-row.js';
export { IndexWriter, type Announces } from './writer/index-writer.js';
export { loadLedger, readHasDetails, readHasHistory } from './writer/load-ledger.js';
export { UndoOutOfReachError } from './writer/undo-reach.js';
export { adviceToReach, readUndoReach, type UndoReach } from './writer/undo-reach.js';
export { undoTo } from './writer/undo-to.js';
