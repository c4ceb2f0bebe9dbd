import type { Block } from '@roundhouse/chain';
import type { BlockSource } from '../block-source.js';
import { NodeProtocolError } from '../errors/node-errors.js';

/** Nodes behind one address may be this many blocks apart. */
const MAY_LACK = 5;

/** Blocks read through a source's checks. What was read is not requested again. */
export class KnownBlocks {
  private readonly byHeight = new Map<number, Block>();

  constructor(
    private readonly blocks: BlockSource,
    private readonly tip: number,
  ) {}

  get source(): string {
    return this.blocks.name;
  }

  get transactions(): number {
    return [...this.byHeight.values()].reduce((sum, block) => sum + block.numberOfTransactions, 0);
  }

  /** Whether all of them were read. */
  knows(from: number, to: number): boolean {
    return this.firstUnknown(from, to) > to;
  }

  /** Returns at least the block at `from`. Throws `NodeProtocolError` for a block that is wrong or missing. */
  async read(from: number, to: number): Promise<Block[]> {
    for (let next = this.firstUnknown(from, to); next <= to; next = this.firstUnknown(next, to)) {
      // From a known block below on, so that the link to it is checked.
      const received = await this.blocks.blocks(this.byHeight.has(next - 1) ? next - 1 : next, to);
      for (const block of received) this.byHeight.set(block.height, block);
      if (this.byHeight.has(next)) continue;
      if (next === from || next <= this.tip - MAY_LACK) throw this.missing(next);
      break;
    }
    return Array.from({ length: to - from + 1 }, (_, i) => this.byHeight.get(from + i)).filter(
      (block) => block !== undefined,
    );
  }

  private firstUnknown(from: number, to: number): number {
    let height = from;
    while (height <= to && this.byHeight.has(height)) height += 1;
    return height;
  }

  private missing(height: number): NodeProtocolError {
    const { source } = this;
    return new NodeProtocolError(
      source,
      `${source} announces height ${this.tip}, but returns no block ${height}. Let the node repair its database, or use ` +
        `another one.`,
      { height },
    );
  }
}
