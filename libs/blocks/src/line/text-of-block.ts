import { InvalidBlockError, type Block } from '@roundhouse/chain';
import { BlockText } from '../text/block-text.js';
import { archiveLine } from './archive-line.js';
import { LineReader } from './line-reader.js';

const reader = new LineReader();

/** Fills `text` with a block, through its line. Throws `InvalidBlockError` if a line cannot hold one of its values. */
export const fillText = (text: BlockText, block: Block): BlockText => {
  const line = Buffer.from(archiveLine(block));
  if (reader.read(line, 0, line.length, text)) return text;
  throw new InvalidBlockError(block.height, `it has a malformed field: ${line.toString()}`);
};

/** A block as text. */
export const textOfBlock = (block: Block): BlockText => fillText(new BlockText(), block);
