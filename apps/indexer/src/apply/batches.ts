import type { Block } from '@roundhouse/chain';
import { EncodedBlocks } from '@roundhouse/storage';

/** Gives the staged blocks from `height` on, or null where nothing is staged that reaches it. */
export type StagedBlocksReader = (height: number) => Promise<readonly Block[] | EncodedBlocks | null>;

/** Blocks could not be read: the last that a reader gives. */
export interface Unreadable {
  readonly error: Error;
}

const encode = (range: readonly Block[] | EncodedBlocks): EncodedBlocks =>
  range instanceof EncodedBlocks ? range : EncodedBlocks.of(range);

const attempt = <T>(reading: Promise<T>): Promise<T | Unreadable> =>
  reading.catch((error: Error) => ({ error }));

/**
 * Takes the blocks that are staged without a gap from `height` on, in runs of at most `room()`, which is asked before
 * each. The next range is read while the caller works on the last one; where that fails, the error comes behind the blocks
 * before it.
 */
export async function* runs(
  read: StagedBlocksReader,
  height: number,
  room: () => number,
): AsyncGenerator<EncodedBlocks | Unreadable, void> {
  let range = await attempt(read(height));
  while (range !== null && !('error' in range) && range.length > 0) {
    const encoded = encode(range);
    const reading = attempt(read(encoded.blocks.at(-1)!.height + 1));
    for (let taken = 0; taken < encoded.length;) {
      const run = encoded.slice(taken, Math.min(encoded.length, taken + room()));
      taken += run.length;
      yield run;
    }
    range = await reading;
  }
  if (range !== null && 'error' in range) yield range;
}
