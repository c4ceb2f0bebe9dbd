import type { BlockRef } from '@roundhouse/chain';
import { blocks, bytesOf } from '@roundhouse/entities/tables';
import { columnOf } from '@roundhouse/entities/sql';
import { jsonAtHead, listAtHead } from '../at-head.js';
import { BLOCK_FIELDS, withPrevious } from '../blocks.reader.js';
import { jsonObject } from '../json-object.js';
import type { NamedQuery, ReaderPool } from '../reader-pool.js';

/** SQL of a block as a node showed it, for rows of `withPrevious`. */
export const NODE_BLOCK = jsonObject({
  ...BLOCK_FIELDS,
  totalForged: { value: `r.reward + ${columnOf('r', blocks, 'totalFee')}`, form: 'integer' },
});

/** $1, $2: the head; $3: an id or null; $4: a height or null. A block with this id comes before one at this height. */
const SELECT_BLOCK: NamedQuery = {
  name: 'node-block',
  text: listAtHead(
    NODE_BLOCK,
    `${withPrevious()} WHERE b.id = $3 OR b.height = $4 ORDER BY b.id = $3 DESC NULLS LAST LIMIT 1`,
  ),
};

const LARGEST_HEIGHT = 2_147_483_647;

const isId = (text: string): boolean =>
  /^[0-9a-f]{64}$/.test(text) || (/^[1-9]\d{0,19}$/.test(text) && BigInt(text) < 2n ** 64n);

/** Blocks as a node showed them, as JSON. Throws `HeadPassedError`. */
export class NodeBlocksReader {
  constructor(private readonly pool: ReaderPool) {}

  /** The block with this id, or at this height in any form that JavaScript reads as a number. Empty if there is none. */
  findBlock(at: BlockRef, id: string): Promise<string> {
    const height = Number(id);
    const isHeight = Number.isInteger(height) && height >= 1 && height <= LARGEST_HEIGHT;
    return jsonAtHead(this.pool, at, SELECT_BLOCK, [
      isId(id) ? bytesOf('block id', id) : null,
      isHeight ? height : null,
    ]);
  }
}
