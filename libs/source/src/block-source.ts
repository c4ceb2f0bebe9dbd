import type { Block, BlockRef, Network } from '@roundhouse/chain';

/** Consecutive blocks as archive lines, not decoded yet. */
export interface BlockSegment {
  readonly firstHeight: number;
  /** Whole archive lines, one block each. */
  readonly bytes: Uint8Array;
}

/** Returns what is wrong with a block, or null. */
export type ProblemOf = (block: Block) => string | null;

/**
 * The interface of an adapter. It returns domain types, checked for shape. `createBlockSource` adds the checks of
 * links, ids and payload hashes, which are the same for all adapters.
 * Errors: `NodeUnavailableError` (try again later) and `NodeProtocolError` (the node's answer is wrong: stop).
 */
export interface RawSource {
  /** For messages and logs; without credentials. */
  readonly name: string;
  /** The network that the source reports, or null if it cannot know it (a database, an archive). */
  network(): Promise<Network | null>;
  /**
   * Why the source's chain cannot be indexed, as the rest of a sentence that begins with its name; null if nothing
   * shows this. Asked once, before the first block. Absent if only the configuration can show it (an archive).
   */
  chainProblem?(): Promise<string | null>;
  /**
   * What the source does not show although ids of transactions are made of it, and what to do about it, for messages about
   * wrong ids; null or absent if it shows all.
   */
  hiddenFields?(): Promise<string | null>;
  /** The newest block that the source claims to have. */
  tip(): Promise<BlockRef>;
  /**
   * Returns the blocks from `from` to `to`, both included, ascending and without gaps, each with its transactions
   * in payload order. Returns fewer if the source ends before `to`.
   */
  blocks(from: number, to: number): Promise<Block[]>;
  /**
   * Only archives and databases have this. Yields the stored blocks from `from` on, except those that a node may
   * still replace. They are neither decoded nor checked: `SegmentDecoder` does both, in any thread. Errors as above.
   */
  segments?(from: number): AsyncGenerator<BlockSegment, void>;
  close(): Promise<void>;
}

/** Where blocks come from. */
export interface BlockSource extends RawSource {
  /**
   * Returns the source's block at `height`, or null if it has none there. Its signature is always verified, even if
   * little else is, because this block may cause others to be undone.
   */
  blockAt(height: number): Promise<Block | null>;
  /**
   * Adds a check: from now on each block is passed to `problemOf`. A block with a problem counts as wrong, as if
   * one of the source's own checks had failed. For problems that show only when blocks are applied or compared.
   * Absent if nothing is checked.
   */
  distrust?(problemOf: ProblemOf): void;
}
