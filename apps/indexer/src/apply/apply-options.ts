import type { Network } from '@roundhouse/chain';
import type { BatchReport } from './apply-outcome.js';

export interface ApplyOptions {
  /** When this object changes, the ledger is loaded again. */
  readonly network: Network;
  /** Maximum number of blocks per commit. */
  readonly batchBlocks: number;
  /** How many blocks below the head keep before-images. */
  readonly undoDepth: number;
  /**
   * The height that the source claims; 0 if unknown. While it is far above, a batch makes before-images only for its
   * last blocks. If the claim is false, the current batch is applied once more, and no before-image is lost.
   */
  readonly claimedHeight: () => number;
  readonly onBatch?: (report: BatchReport) => void;
  /** Accounts held in memory between batches. (Default: 100,000) */
  readonly accountCapacity?: number;
}
