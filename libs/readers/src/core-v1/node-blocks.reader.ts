import { NO_BLOCK_ID, type BlockRef } from '@roundhouse/chain';
import { blocks, heightGroup } from '@roundhouse/entities/tables';
import { blockAt, blockIdText } from '@roundhouse/entities/sql';
import { atHead, joinList, jsonOf, LIST, listAtHead, type JsonRow } from '../at-head.js';
import { blocksOfRange, NODE_BLOCK, withPrevious } from '../blocks.reader.js';
import {
  columnsOf,
  FilteredListReader,
  isFoundByIndex,
  keyNumber,
  READ,
  sortKeyOf,
  type Comparison,
  type ListColumn,
  type ListOrder,
  type ListPage,
} from './list-filters.js';

const PREVIOUS_ID = `CASE b.height WHEN 1 THEN '${NO_BLOCK_ID}'
  ELSE (SELECT ${blockIdText('below.id')} FROM blocks below WHERE below.height = b.height - 1) END`;

const COLUMNS = {
  ...columnsOf('b', blocks, 'id', 'version', 'height', 'numberOfTransactions', 'totalAmount', 'totalFee'),
  ...columnsOf('b', blocks, 'reward', 'payloadLength', 'payloadHash', 'blockSignature'),
  // Heights have the same order.
  timestamp: { ...columnsOf('b', blocks, 'timestamp').timestamp, sortKey: 'b.height' },
  previousBlock: {
    column: 'b.height',
    // One byte is no block's id: it stands for that of the genesis block.
    read: (text) => (text === NO_BLOCK_ID ? Buffer.of(0) : READ['block id'](text)),
    lookUp: (id) =>
      `CASE ${id}::bytea WHEN '\\x00' THEN 1 ELSE (SELECT below.height + 1 FROM blocks below WHERE below.id = ${id}) END`,
    sortKey: `(${PREVIOUS_ID}) COLLATE "C"`,
  },
  generatorPublicKey: {
    column: 'b.generator',
    read: READ.hex,
    lookUp: keyNumber,
    isIndexed: true,
    sortKey: 'k.value',
  },
} satisfies Readonly<Record<string, ListColumn>>;

export type BlockColumn = keyof typeof COLUMNS;

export const BLOCK_COLUMNS = Object.keys(COLUMNS) as BlockColumn[];

export type BlockOrder = ListOrder<BlockColumn>;

const keyOf = ({ column }: BlockOrder): string => sortKeyOf(COLUMNS[column]);

/** $1, $2: the head; $3: limit; $4: offset; then the parameters of the comparisons. */
const selectPage = (comparisons: readonly Comparison[], order: BlockOrder): string => {
  const { direction } = order;
  // The index that finds the blocks of a generator has the order of groups of heights.
  const isGrouped = keyOf(order) === 'b.height' && comparisons.some(isFoundByIndex);
  // The page is chosen first; what is shown is looked up for its blocks only, one by one.
  const rows = `${withPrevious(`(SELECT one.*, p.place FROM (
SELECT p.height, row_number() OVER () AS place FROM (
SELECT b.height FROM blocks b JOIN public_keys k ON k.number = b.generator
WHERE ${comparisons.map(({ where }) => where).join(' AND ') || 'true'}
ORDER BY ${isGrouped ? heightGroup('b.height') : keyOf(order)} ${direction}, b.height ${direction} LIMIT $3::bigint OFFSET $4::bigint) p) p
CROSS JOIN LATERAL ${blockAt('p.height')} one)`)}
ORDER BY b.place`;
  return atHead(`${LIST}, list.listed`, joinList(NODE_BLOCK, rows));
};

/** $1, $2: the head; $3, $4: lowest and highest height. */
const SELECT_HEIGHTS = {
  asc: listAtHead('node-blocks-asc', NODE_BLOCK, blocksOfRange('asc')),
  desc: listAtHead('node-blocks-desc', NODE_BLOCK, blocksOfRange('desc')),
} as const;

/** $1, $2: the head; $3: an id or null; $4: a height or null. A block with this id comes before one at this height. */
const SELECT_BLOCK = listAtHead(
  'node-block',
  NODE_BLOCK,
  `${withPrevious()} WHERE b.id = $3 OR b.height = $4 ORDER BY b.id = $3 DESC NULLS LAST LIMIT 1`,
);

export type NodeBlocksPage = ListPage<BlockColumn>;

const isOfHeights = ({ conditions, order }: NodeBlocksPage): boolean =>
  conditions.length === 0 && keyOf(order) === 'b.height';

/** Blocks as nodes of 2.x showed and listed them, as JSON. */
export class NodeBlocksReader extends FilteredListReader<BlockColumn> {
  /** A block is listed if all conditions hold. */
  protected readonly table = {
    ...({ from: 'blocks b', key: 'b.height', walkedBy: 'b.height', operator: 'AND' } as const),
    columns: COLUMNS,
  };

  /** The block with this id, or at this height in any form that JavaScript reads as a number. Empty if there is none. */
  findBlock(at: BlockRef, id: string): Promise<string> {
    const height = Number(id);
    const isHeight = Number.isInteger(height) && height >= 1 && height < 2 ** 31;
    return this.list(at, SELECT_BLOCK, READ['block id'](id), isHeight ? height : null);
  }

  override isBounded(page: NodeBlocksPage): boolean {
    return isOfHeights(page) || super.isBounded(page);
  }

  /** The objects as JSON, separated by commas. The count is exact without conditions, too. */
  async listBlocks(at: BlockRef, page: NodeBlocksPage): Promise<{ blocks: string; count: number }> {
    if (isOfHeights(page)) return this.listHeights(at, page);
    const search = this.searchFor(page);
    if (!search) return { blocks: '', count: page.offset };
    const text = selectPage(search.comparisons, page.order);
    const [row] = await this.readPage<JsonRow & { readonly listed: bigint }>(at, page, search, text);
    const blocks = jsonOf('node-blocks', row);
    const listed = Number(row.listed);
    if (listed === page.limit && page.conditions.length === 0) return { blocks, count: at.height };
    return { blocks, count: await this.count(at, page, listed, search) };
  }

  /** Every height has a block, so a page is a range of heights: a large offset costs nothing. */
  private async listHeights(at: BlockRef, { limit, offset, order }: NodeBlocksPage) {
    if (offset >= at.height) return { blocks: '', count: offset };
    const first = offset + 1;
    const last = Math.min(offset + limit, at.height);
    const heights = order.direction === 'asc' ? [first, last] : [at.height + 1 - last, at.height - offset];
    return { blocks: await this.list(at, SELECT_HEIGHTS[order.direction], ...heights), count: at.height };
  }
}
