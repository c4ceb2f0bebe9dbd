import type { Block } from '@roundhouse/chain';

/** Gives the staged blocks from `height` on, or null where nothing is staged that reaches it. */
export type StagedBlocksReader = (height: number) => Promise<readonly Block[] | null>;

/**
 * Takes the blocks that are staged without a gap from `height` on and gives them in runs of at most `size`. The next
 * range is read while the caller works on the last run.
 */
export async function* batches(
  read: StagedBlocksReader,
  height: number,
  size: number,
): AsyncGenerator<readonly Block[], void> {
  let next = height;
  let pending: Block[] = [];
  for (let range = await read(next); range !== null && range.length > 0; range = await read(next)) {
    next = range.at(-1)!.height + 1;
    pending = pending.concat(range);
    let taken = 0;
    for (; pending.length - taken >= size; taken += size) yield pending.slice(taken, taken + size);
    pending = pending.slice(taken);
  }
  if (pending.length > 0) yield pending;
}
