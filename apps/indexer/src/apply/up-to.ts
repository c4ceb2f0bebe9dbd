import type { Block } from '@roundhouse/chain';
import { EncodedBlocks } from '@roundhouse/storage';

/** Those of consecutive blocks that are not above `lastHeight`; null where none is. */
export const upTo = (
  blocks: readonly Block[] | EncodedBlocks,
  lastHeight: number,
): readonly Block[] | EncodedBlocks | null => {
  const first = blocks instanceof EncodedBlocks ? blocks.blocks[0] : blocks[0];
  if (first === undefined) return blocks;
  const count = Math.min(blocks.length, lastHeight - first.height + 1);
  if (count <= 0) return null;
  return count === blocks.length ? blocks : blocks.slice(0, count);
};
