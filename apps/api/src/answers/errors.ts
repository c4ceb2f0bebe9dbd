import type { BlockRef } from '@roundhouse/chain';

/** The request is well-formed, but what it asks for does not exist. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}

/** The index cannot answer yet; the same request should succeed a little later. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

/** So many requests wait already that this one may not. */
export class CrowdedError extends NotReadyError {}

/** For a height above the head. */
export const noBlockYet = (height: number, head: { readonly height: number }): NotFoundError =>
  new NotFoundError(`There is no block ${height} yet: the head is ${head.height}.`);

/** A fork has replaced the block at which the page before ended. */
export class CursorPassedError extends Error {
  override readonly name = 'CursorPassedError';
}

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
  if (blockIdThere !== blockId)
    throw new CursorPassedError(
      'The block at which the page before ended is not part of the chain; begin again with the first page.',
    );
};
