import type { Block } from '@roundhouse/chain';
import type { RecordedBlocks } from '../recorded-index.js';

/** Blocks in memory, ascending from the genesis block. A test may put another branch in their place. */
export class MemoryChain implements RecordedBlocks {
  readonly name = 'memory';

  constructor(public chain: readonly Block[]) {}

  blocks(from: number, to: number): Promise<Block[]> {
    return Promise.resolve(this.chain.slice(from - 1, to));
  }
}
