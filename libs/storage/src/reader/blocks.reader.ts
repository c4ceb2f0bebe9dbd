import type { BlockRef } from '@roundhouse/chain';
import { SELECT_BLOCK, SELECT_BLOCKS } from './queries/block.queries.js';
import type { ReaderPool } from './reader-pool.js';
import { jsonAtHead } from './rows-at-head.js';

/** Blocks come as JSON, as `DelegatesReader` has it. Every method throws `HeadPassedError`. */
export class BlocksReader {
  constructor(private readonly pool: ReaderPool) {}

  /** The blocks of the heights from `lowest` to `highest`, newest first. */
  listBlocks(at: BlockRef, lowest: number, highest: number): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_BLOCKS, [lowest, highest]);
  }

  /** Empty where there is none. */
  findBlock(at: BlockRef, id: string): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_BLOCK, [id]);
  }
}
