import type { Block, BlockRef } from '@roundhouse/chain';

/** Returns the blocks from `height` on, at least one; null if there are none yet. */
export type ReadBlocks = (height: number) => Promise<readonly Block[] | null>;

export interface Taken {
  readonly blocks: readonly Block[];
  /** There are no blocks, and none will follow. */
  readonly isEnd: boolean;
  /** Why not, if they could not be read. */
  readonly error?: Error;
}

interface Unreadable {
  readonly error: Error;
}

const attempt = (reading: ReturnType<ReadBlocks>): Promise<readonly Block[] | null | Unreadable> =>
  reading.catch((error: Error) => ({ error }));

/**
 * Takes consecutive blocks in runs. The next range is read while the caller works on the last one. If that read fails,
 * its error follows the blocks before it.
 */
export class BlockTaker {
  private range: readonly Block[] = [];
  private reading: ReturnType<typeof attempt>;

  constructor(
    private readonly read: ReadBlocks,
    height: number,
  ) {
    this.reading = attempt(read(height));
  }

  async take(mostBlocks: number): Promise<Taken> {
    if (this.range.length === 0) {
      const range = await this.reading;
      if (range === null) return { blocks: [], isEnd: true };
      if ('error' in range) return { blocks: [], isEnd: true, error: range.error };
      this.range = range;
      this.reading = attempt(this.read(range.at(-1)!.height + 1));
    }
    const blocks = this.range.slice(0, mostBlocks);
    this.range = this.range.slice(mostBlocks);
    return { blocks, isEnd: false };
  }
}

const isLinked = (block: Block, previous: BlockRef | null): boolean =>
  previous === null || (block.previousBlock === previous.id && block.height === previous.height + 1);

/** The blocks of a run up to the first that does not link to the one before it. Without a head, any block is the first. */
export const linkedTo = (head: BlockRef | null, run: readonly Block[]): readonly Block[] => {
  const unlinked = run.findIndex((block, place) => !isLinked(block, run[place - 1] ?? head));
  return unlinked === -1 ? run : run.slice(0, unlinked);
};

/** The blocks up to a height; null if there are none. */
export const upTo = (blocks: readonly Block[] | null, height: number): readonly Block[] | null => {
  if (blocks === null || blocks.at(-1)!.height <= height) return blocks;
  return blocks[0]!.height > height ? null : blocks.slice(0, height - blocks[0]!.height + 1);
};
