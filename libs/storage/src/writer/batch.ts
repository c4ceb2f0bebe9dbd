import type { BlockRef, LedgerChanges, LedgerHead } from '@roundhouse/chain';

/** All changes made by the blocks of a batch, and the heads before and after. */
export interface Batch {
  /** The head before the batch; null before the genesis block. */
  readonly from: BlockRef | null;
  readonly head: LedgerHead;
  readonly delegateCount: number;
  readonly changes: LedgerChanges;
  /** How many blocks below the head keep before-images. The batch has those of all its blocks within that depth. */
  readonly undoDepth: number;
}
