import { InvalidBlockError, ShapeError, type Block } from '@roundhouse/chain';
import { decodeBlock, rawBlock } from './raw-block.js';

/**
 * A block from a table as a source would give it: what no line holds is lost. Throws `InvalidBlockError` if a line cannot
 * hold one of its values.
 */
export const asRead = (block: Block): Block => {
  try {
    return decodeBlock(rawBlock(block));
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new InvalidBlockError(block.height, `it has a malformed field: ${error.message}`);
  }
};
