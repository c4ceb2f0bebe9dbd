import { NO_BLOCK_ID, type BlockRef } from '@roundhouse/chain';
import { blocks, heightGroup, type BlockEntity } from '@roundhouse/entities/tables';
import { blockAt, blockIdText, columnOf, isEqualIn, signatureText } from '@roundhouse/entities/sql';
import { atHead, joinList, jsonOf, LIST, listAtHead, named, type JsonRow } from '../at-head.js';
import { blocksOfRange, NODE_BLOCK, withPrevious } from '../blocks.reader.js';
import {
  byNumber,
  FilteredListReader,
  isFoundByIndex,
  keyNumber,
  readAmount,
  readBlockId,
  readHex,
  readInteger,
  readSignature,
  searchOf,
  sortKeyOf,
  wheresOf,
  type Comparison,
  type FilteredTable,
  type ListColumn,
  type ListOrder,
  type ListPage,
  type Search,
} from './list-filters.js';

const PREVIOUS_ID = `CASE b.height WHEN 1 THEN '${NO_BLOCK_ID}'
  ELSE (SELECT ${blockIdText('below.id')} FROM blocks below WHERE below.height = b.height - 1) END`;

/** What a block's `previousBlock` is in the genesis block. */
const NO_BLOCK = Buffer.of(0);

/** A column that is null in most rows, where it has its usual value. */
const orUsual = (name: keyof BlockEntity, read: ListColumn['read']): ListColumn => ({
  ...{ column: isEqualIn('b', blocks, name), read, sortKey: columnOf('b', blocks, name) },
});

const COLUMNS = {
  id: { column: 'b.id', read: readBlockId, sortKey: `(${blockIdText('b.id')}) COLLATE "C"` },
  version: { column: 'b.version', read: readInteger },
  // Heights have the same order.
  timestamp: { column: 'b."timestamp"', read: readInteger, sortKey: 'b.height' },
  previousBlock: {
    column: 'b.height',
    read: (text) => (text === NO_BLOCK_ID ? NO_BLOCK : readBlockId(text)),
    lookUp: (id) =>
      `CASE ${id}::bytea WHEN '\\x00' THEN 1 ELSE (SELECT below.height + 1 FROM blocks below WHERE below.id = ${id}) END`,
    sortKey: `(${PREVIOUS_ID}) COLLATE "C"`,
  },
  height: { column: 'b.height', read: readInteger },
  numberOfTransactions: orUsual('numberOfTransactions', readInteger),
  totalAmount: orUsual('totalAmount', readAmount),
  totalFee: orUsual('totalFee', readAmount),
  reward: { column: 'b.reward', read: readAmount },
  payloadLength: orUsual('payloadLength', readInteger),
  payloadHash: orUsual('payloadHash', readHex),
  generatorPublicKey: { ...byNumber('b.generator', readHex, keyNumber), sortKey: 'k.value' },
  blockSignature: {
    column: 'b.block_signature',
    read: readSignature,
    sortKey: `(${signatureText('b.block_signature')}) COLLATE "C"`,
  },
} satisfies Readonly<Record<string, ListColumn>>;

export type BlockColumn = keyof typeof COLUMNS;

export const BLOCK_COLUMNS = Object.keys(COLUMNS) as BlockColumn[];

/** A block is listed if all conditions hold. */
const TABLE: FilteredTable<BlockColumn> = {
  ...{ from: 'blocks b', key: 'b.height', operator: 'AND', columns: COLUMNS },
};

const FIRST_VALUE = 5;

export type BlockOrder = ListOrder<BlockColumn>;

const keyOf = (column: BlockColumn): string => sortKeyOf(COLUMNS[column]);

const listOf = (rows: string): string => atHead(`${LIST}, list.listed`, joinList(NODE_BLOCK, rows));

/** SQL of the order. The index that finds the blocks of a generator has the order of groups of heights. */
const sortBy = (comparisons: readonly Comparison[], { column, direction }: BlockOrder): string => {
  const key = keyOf(column);
  const first = key === 'b.height' && comparisons.some(isFoundByIndex) ? heightGroup(key) : key;
  return `${first} ${direction}, b.height ${direction}`;
};

/** $1, $2: the head; $3: limit; $4: offset; then the values of the comparisons. */
const selectPage = (comparisons: readonly Comparison[], order: BlockOrder): string =>
  // The page is chosen first; what is shown is looked up for its blocks only, one by one.
  listOf(`${withPrevious(`(SELECT one.*, p.place FROM (
SELECT p.height, row_number() OVER () AS place FROM (
SELECT b.height FROM blocks b JOIN public_keys k ON k.number = b.generator
WHERE ${wheresOf(comparisons, FIRST_VALUE).join(' AND ') || 'true'}
ORDER BY ${sortBy(comparisons, order)} LIMIT $3::bigint OFFSET $4::bigint) p) p
CROSS JOIN LATERAL ${blockAt('p.height')} one)`)}
ORDER BY b.place`);

/** $1, $2: the head; $3, $4: lowest and highest height. */
const SELECT_HEIGHTS = {
  asc: named('node-blocks-asc', listOf(blocksOfRange('asc'))),
  desc: named('node-blocks-desc', listOf(blocksOfRange('desc'))),
} as const;

/** $1, $2: the head; $3: an id or null; $4: a height or null. A block with this id comes before one at this height. */
const SELECT_BLOCK = listAtHead(
  'node-block',
  NODE_BLOCK,
  `${withPrevious()} WHERE b.id = $3 OR b.height = $4 ORDER BY b.id = $3 DESC NULLS LAST LIMIT 1`,
);

const LARGEST_HEIGHT = 2_147_483_647;

type BlocksPage = ListPage<BlockColumn, BlockOrder>;

interface BlockList {
  /** JSON: the objects, separated by commas. */
  readonly blocks: string;
  /** Exact on the last page, without conditions, and for few blocks of a generator; otherwise the planner's estimate. */
  readonly count: number;
}

const isByHeight = ({ order }: BlocksPage): boolean => keyOf(order.column) === 'b.height';

const isOfHeights = (page: BlocksPage): boolean => page.conditions.length === 0 && isByHeight(page);

type Row = JsonRow & { readonly listed: bigint };

/** Blocks as nodes of 2.x showed and listed them, as JSON. */
export class NodeBlocksReader extends FilteredListReader<BlocksPage> {
  /** The block with this id, or at this height in any form that JavaScript reads as a number. Empty if there is none. */
  findBlock(at: BlockRef, id: string): Promise<string> {
    const height = Number(id);
    const isHeight = Number.isInteger(height) && height >= 1 && height <= LARGEST_HEIGHT;
    return this.list(at, SELECT_BLOCK, readBlockId(id), isHeight ? height : null);
  }

  async listBlocks(at: BlockRef, page: BlocksPage): Promise<BlockList> {
    if (isOfHeights(page)) return this.listHeights(at, page);
    const search = this.searchFor(page);
    if (search.isImpossible) return { blocks: '', count: page.offset };
    const text = selectPage(search.comparisons, page.order);
    const [row] = await this.readPage<Row>(at, page, search, text);
    const blocks = jsonOf('node-blocks', row);
    const listed = Number(row.listed);
    if (listed === page.limit && page.conditions.length === 0) return { blocks, count: at.height };
    return { blocks, count: await this.count(at, page, listed, search) };
  }

  protected searchFor(page: BlocksPage): Search {
    const search = searchOf(TABLE, page, isByHeight(page));
    return { ...search, isWalked: isOfHeights(page) || search.isWalked };
  }

  /** Every height has a block, so a page is a range of heights: a large offset costs nothing. */
  private async listHeights(at: BlockRef, { limit, offset, order }: BlocksPage): Promise<BlockList> {
    if (offset >= at.height) return { blocks: '', count: offset };
    const first = offset + 1;
    const last = Math.min(offset + limit, at.height);
    const heights = order.direction === 'asc' ? [first, last] : [at.height + 1 - last, at.height - offset];
    return { blocks: await this.list(at, SELECT_HEIGHTS[order.direction], ...heights), count: at.height };
  }
}
