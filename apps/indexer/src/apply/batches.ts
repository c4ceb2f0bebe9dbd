import type { EncodedBlocks } from '@roundhouse/storage';

/** Returns the blocks from `height` on, at least one; null if there are none yet. */
export type BlocksReader = (height: number) => Promise<EncodedBlocks | null>;

/** Blocks could not be read. A reader returns nothing after this. */
export interface Unreadable {
  readonly error: Error;
}

const attempt = <T>(reading: Promise<T>): Promise<T | Unreadable> =>
  reading.catch((error: Error) => ({ error }));

/**
 * Yields consecutive blocks from `height` on, in runs of at most `room()`, which is called before each. The next range
 * is read while the caller works on the last one. If that read fails, its error follows the blocks before it.
 */
export async function* runs(
  read: BlocksReader,
  height: number,
  room: () => number,
): AsyncGenerator<EncodedBlocks | Unreadable, void> {
  let range = await attempt(read(height));
  while (range !== null && !('error' in range)) {
    const { length } = range;
    const reading = attempt(read(range.blocks.at(-1)!.height + 1));
    for (let taken = 0; taken < length;) {
      const run: EncodedBlocks = range.slice(taken, Math.min(length, taken + room()));
      taken += run.length;
      yield run;
    }
    range = await reading;
  }
  if (range !== null) yield range;
}
