import type { Fields } from '../answer.js';
import type { Inspection } from '../inspection.js';

const checkBlock = (seen: Inspection, block: Fields): void => {
  const { height, id, confirmations } = block;
  seen.equal(`confirmations of block ${String(height)}`, confirmations, seen.headHeight - Number(height));
  seen.claimBlock(height, id);
};

/**
 * Checks that blocks are newest first, linked, and counted from one head; `offset` is how far below the head the list
 * begins.
 */
export const checkBlockList =
  (offset: number) =>
  (seen: Inspection): void => {
    const blocks = seen.list('blocks');
    blocks.forEach((block, index) => {
      checkBlock(seen, block);
      seen.equal(`height of entry ${index}`, block['height'], seen.headHeight - offset - index);
      const below = blocks[index + 1];
      if (below)
        seen.equal(`previousBlock of block ${String(block['height'])}`, block['previousBlock'], below['id']);
    });
  };

export const checkOneBlock =
  (id: string) =>
  (seen: Inspection): void => {
    const block = (seen.body['block'] ?? {}) as Fields;
    seen.equal('id', block['id'], id);
    checkBlock(seen, block);
  };

export const checkHeight = (seen: Inspection): void => {
  seen.equal('height', seen.body['height'], seen.headHeight);
  seen.claimBlock(seen.body['height'], seen.body['id']);
};
