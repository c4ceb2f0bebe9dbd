export { digestTables, type IndexDigest, type TableDigest } from './digest.js';
export { claimNetwork } from './follow/network-row.js';
export { findBlockId, readPosition, writeSourceStatus, type Position } from './follow/position.js';
export { resetIndex } from './reset.js';
export {
  dropStagedAt,
  listStagedRanges,
  readStagedBlocks,
  stageBlocks,
  type StagedRange,
} from './staging/staged-ranges.js';
export { commitBatch, type Batch } from './writer/commit-batch.js';
export { copyLine, copyRows, type CopyValue } from './writer/copy-text.js';
export { HeadMovedError } from './writer/head-moved.error.js';
export { loadLedger } from './writer/load-ledger.js';
export { loadWorkingSet } from './writer/load-working-set.js';
export { UndoOutOfReachError } from './writer/undo-out-of-reach.error.js';
export { undoTo } from './writer/undo-to.js';
