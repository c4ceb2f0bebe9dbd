import type { BlockRef, Network } from '@roundhouse/chain';
import type { BatchReport } from './apply-outcome.js';

export interface ApplyOptions {
  readonly network: Network;
  /** Blocks a commit, at most. */
  readonly batchBlocks: number;
  /** For how many blocks below the head before-images are kept. */
  readonly undoDepth: number;
  readonly onBatch?: (report: BatchReport) => void;
  /**
   * Given where forgers are to be verified: told of each block whose generator was not allowed its slot. It is
   * reported, not refused: the node has accepted the block.
   */
  readonly onWrongForger?: (block: BlockRef, generator: string, expected: string) => void;
  /** Accounts held in memory between batches. (Default: 100,000) */
  readonly accountCapacity?: number;
}
