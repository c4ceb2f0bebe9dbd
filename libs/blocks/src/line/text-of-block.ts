import { InvalidBlockError, type Block } from '@roundhouse/chain';
import { BlockText } from '../text/block-text.js';
import { archiveLine } from './archive-line.js';
import { LineReader } from './line-reader.js';

const reader = new LineReader();

const fills = (text: BlockText, block: Block): boolean => {
  const line = Buffer.from(archiveLine(block));
  return reader.read(line, 0, line.length, text);
};

/**
 * Fills `text` with a block: writes the block as an archive line, and reads that line into `text`. Throws
 * `InvalidBlockError` if a line cannot hold one of the block's values.
 */
export const fillText = (text: BlockText, block: Block): BlockText => {
  if (fills(text, block)) return text;
  const wrong = block.transactions.find((each) => !fills(text, { ...block, transactions: [each] }));
  const shown = { ...block, transactions: wrong === undefined ? [] : [wrong] };
  throw new InvalidBlockError(block.height, `it has a malformed field: ${archiveLine(shown)}`);
};

/** A block as text. */
export const textOfBlock = (block: Block): BlockText => fillText(new BlockText(), block);
