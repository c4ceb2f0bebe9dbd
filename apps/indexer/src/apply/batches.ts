import type { Block } from '@roundhouse/chain';
import { EncodedBlocks } from '@roundhouse/storage';

/** Gives the staged blocks from `height` on, or null where nothing is staged that reaches it. */
export type StagedBlocksReader = (height: number) => Promise<readonly Block[] | EncodedBlocks | null>;

/** A run of blocks to apply, and whether the batch that it belongs to ends with it. */
export interface Run {
  readonly encoded: EncodedBlocks;
  readonly endsBatch: boolean;
}

/** Blocks could not be read: the last that a reader gives. */
export interface Unreadable {
  readonly error: Error;
}

export interface BatchLimits {
  readonly blocks: number;
  /** Of rows: a batch that has reached it takes no more blocks. */
  readonly bytes: number;
}

const encode = (range: readonly Block[] | EncodedBlocks): EncodedBlocks =>
  range instanceof EncodedBlocks ? range : EncodedBlocks.of(range);

const attempt = <T>(reading: Promise<T>): Promise<T | Unreadable> =>
  reading.catch((error: Error) => ({ error }));

/**
 * Takes the blocks that are staged without a gap from `height` on and cuts them into batches within the limits. The
 * next range is read while the caller works on the last one; where that fails, the error comes behind the blocks before it.
 */
export async function* runs(
  read: StagedBlocksReader,
  height: number,
  limits: BatchLimits,
): AsyncGenerator<Run | Unreadable, void> {
  let inBatch = { blocks: 0, bytes: 0 };
  let range = await attempt(read(height));
  while (range !== null && !('error' in range) && range.length > 0) {
    const encoded = encode(range);
    const reading = attempt(read(encoded.blocks.at(-1)!.height + 1));
    for (let taken = 0; taken < encoded.length;) {
      const run = encoded.slice(taken, Math.min(encoded.length, taken + limits.blocks - inBatch.blocks));
      taken += run.length;
      inBatch = { blocks: inBatch.blocks + run.length, bytes: inBatch.bytes + run.sizeBytes };
      const endsBatch = inBatch.blocks >= limits.blocks || inBatch.bytes >= limits.bytes;
      if (endsBatch) inBatch = { blocks: 0, bytes: 0 };
      yield { encoded: run, endsBatch };
    }
    range = await reading;
  }
  if (range !== null && 'error' in range) yield range;
}
