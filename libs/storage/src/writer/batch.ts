import type { BlockRef, LedgerChanges, LedgerHead } from '@roundhouse/chain';

/** All that applying the blocks of a batch has changed, and between which heads. */
export interface Batch {
  /** The head that the batch was made from; null before the genesis block. */
  readonly from: BlockRef | null;
  readonly head: LedgerHead;
  readonly delegateCount: number;
  readonly changes: LedgerChanges;
  /** For how many blocks below the head before-images are kept; the batch has those of all its blocks that are no further below. */
  readonly undoDepth: number;
}
