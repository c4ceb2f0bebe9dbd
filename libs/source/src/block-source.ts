import type { Block, BlockRef, Network } from '@roundhouse/chain';
import type { BlockSegment } from './block-segment.js';

/** What is wrong with a block; null where nothing is. */
export type ProblemOf = (block: Block) => string | null;

/**
 * What an adapter gives: domain types, checked for shape. `createBlockSource` adds the checks of links, ids and payload
 * hashes that are the same for all.
 * Errors: `NodeUnavailableError` (try again later) and `NodeProtocolError` (the node answered nonsense: stop).
 */
export interface RawSource {
  /** For messages and logs; without credentials. */
  readonly name: string;
  /** The chain as the source knows it, or null where it cannot tell (a database, an archive). */
  network(): Promise<Network | null>;
  /** The newest block that the source says it has. */
  tip(): Promise<BlockRef>;
  /**
   * The blocks from `from` to `to`, both included, ascending and without gaps, each with its transactions in
   * payload order. Gives fewer where the source ends before `to`.
   */
  blocks(from: number, to: number): Promise<Block[]>;
  /**
   * Archives and databases alone: the blocks from `from` on as they lie there, but for those that a node may still
   * replace, neither decoded nor checked; `SegmentDecoder` does both, in whichever thread. Errors as above.
   */
  segments?(from: number): AsyncGenerator<BlockSegment, void>;
  close(): Promise<void>;
}

/** Where blocks come from. */
export interface BlockSource extends RawSource {
  /**
   * The source's block at `height`, or null when it has none there. Its signature is verified, however little else is:
   * blocks are undone for it.
   */
  blockAt(height: number): Promise<Block | null>;
  /**
   * From now on each block is shown to `problemOf`: what that names a problem of counts as wrong, as if a check of the source's own had
   * found it. For what shows only where blocks are applied or compared. Each call adds one. Absent where nothing is checked.
   */
  distrust?(problemOf: ProblemOf): void;
}
