import type { Network } from '@roundhouse/chain';
import type { BatchReport } from './apply-outcome.js';

export interface ApplyOptions {
  /** The ledger is loaded anew when it has become another one. */
  readonly network: Network;
  /** Blocks a commit, at most. */
  readonly batchBlocks: number;
  /** For how many blocks below the head before-images are kept. */
  readonly undoDepth: number;
  /**
   * The height that the source claims, 0 where it is not known: far below it a batch makes before-images for its last blocks alone.
   * A false claim costs the batch in hand, which is applied once more, and no before-image.
   */
  readonly claimedHeight: () => number;
  readonly onBatch?: (report: BatchReport) => void;
  /** Accounts held in memory between batches. (Default: 100,000) */
  readonly accountCapacity?: number;
}
