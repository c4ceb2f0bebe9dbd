import type { BlockRef } from '@roundhouse/chain';
import { NotReadyError } from '../chain/not-ready.error.js';
import { CursorPassedError } from './cursor-passed.error.js';

/** Where the page before ended. */
interface Cursor {
  readonly height: number;
  readonly blockId: string;
}

/**
 * Throws `NotReadyError` if the page before came from an api or a replica that is ahead of this one: only time tells
 * whether this chain will have that block.
 */
export const assertReachesCursor = (head: BlockRef, { height }: Cursor): void => {
  if (height > head.height)
    throw new NotReadyError(
      `The page before ended at height ${height}, and the index here is at ${head.height}; try again in a moment.`,
    );
};

/** Throws `CursorPassedError` if another block is at the cursor's height. */
export const assertKeepsCursor = ({ blockId }: Cursor, blockIdThere: string | null): void => {
  if (blockIdThere !== blockId) throw new CursorPassedError();
};
