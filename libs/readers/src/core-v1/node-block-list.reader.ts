import { NO_BLOCK_ID, type BlockRef } from '@roundhouse/chain';
import { blocks, heightGroup } from '@roundhouse/entities/tables';
import { blockAt, blockIdText, columnOf, isEqualIn, signatureText } from '@roundhouse/entities/sql';
import { atHead, joinList, jsonOf, rowsAtHead, type JsonRow } from '../at-head.js';
import type { SortDirection } from '../delegate-orders.js';
import { blocksOfRange, withPrevious } from '../blocks.reader.js';
import type { NamedQuery, Query, ReaderPool } from '../reader-pool.js';
import { countFound, type FilteredTable } from './count-found.js';
import { NODE_BLOCK } from './node-blocks.reader.js';
import {
  always,
  comparisonsOf,
  isFoundByIndex,
  readAmount,
  readBlockId,
  readHex,
  readInteger,
  readSignature,
  SHALLOW,
  wheresOf,
  type Comparison,
  type Condition,
  type Filter,
} from './list-filters.js';

const PREVIOUS_ID = `CASE b.height WHEN 1 THEN '${NO_BLOCK_ID}'
  ELSE (SELECT ${blockIdText('below.id')} FROM blocks below WHERE below.height = b.height - 1) END`;

/** What a block's `previousBlock` is in the genesis block. */
const NO_BLOCK = Buffer.of(0);

/** The filters of the list, by the node's names of the columns. */
const FILTERS = {
  id: { column: 'b.id', read: readBlockId },
  version: { column: 'b.version', read: readInteger },
  timestamp: { column: 'b."timestamp"', read: readInteger },
  previousBlock: {
    column: 'b.height',
    read: (text) => (text === NO_BLOCK_ID ? NO_BLOCK : readBlockId(text)),
    lookUp: (id) =>
      `CASE ${id}::bytea WHEN '\\x00' THEN 1 ELSE (SELECT below.height + 1 FROM blocks below WHERE below.id = ${id}) END`,
  },
  height: { column: 'b.height', read: readInteger },
  numberOfTransactions: { column: isEqualIn('b', blocks, 'numberOfTransactions'), read: readInteger },
  totalAmount: { column: isEqualIn('b', blocks, 'totalAmount'), read: readAmount },
  totalFee: { column: isEqualIn('b', blocks, 'totalFee'), read: readAmount },
  reward: { column: 'b.reward', read: readAmount },
  payloadLength: { column: isEqualIn('b', blocks, 'payloadLength'), read: readInteger },
  payloadHash: { column: isEqualIn('b', blocks, 'payloadHash'), read: readHex },
  generatorPublicKey: {
    column: 'b.generator',
    read: readHex,
    lookUp: (key) => `SELECT number FROM public_keys WHERE value = ${key}`,
    isIndexed: always,
  },
  blockSignature: { column: 'b.block_signature', read: readSignature },
} satisfies Readonly<Record<string, Filter>>;

export type BlockFilter = keyof typeof FILTERS;

/** SQL of what the list is sorted by, by the node's names of the columns. */
const ORDER_KEYS = {
  id: `(${blockIdText('b.id')}) COLLATE "C"`,
  version: 'b.version',
  /** Heights have the same order. */
  timestamp: 'b.height',
  previousBlock: `(${PREVIOUS_ID}) COLLATE "C"`,
  height: 'b.height',
  numberOfTransactions: columnOf('b', blocks, 'numberOfTransactions'),
  totalAmount: columnOf('b', blocks, 'totalAmount'),
  totalFee: columnOf('b', blocks, 'totalFee'),
  reward: 'b.reward',
  payloadLength: columnOf('b', blocks, 'payloadLength'),
  payloadHash: columnOf('b', blocks, 'payloadHash'),
  generatorPublicKey: 'k.value',
  blockSignature: `(${signatureText('b.block_signature')}) COLLATE "C"`,
} as const;

export interface BlockOrder {
  readonly column: keyof typeof ORDER_KEYS;
  readonly direction: SortDirection;
}

const FIRST_VALUE = 5;

const allOf = (wheres: readonly string[]): string => (wheres.length === 0 ? 'true' : wheres.join(' AND '));

const listOf = (rows: string): string =>
  atHead('list.json, list.lost, list.listed', joinList(NODE_BLOCK, rows));

/** SQL of the order. The index that finds the blocks of a generator has the order of groups of heights. */
const sortBy = (comparisons: readonly Comparison[], { column, direction }: BlockOrder): string => {
  const key = ORDER_KEYS[column];
  const first = key === 'b.height' && comparisons.some(isFoundByIndex) ? heightGroup(key) : key;
  return `${first} ${direction}, b.height ${direction}`;
};

/** $1, $2: the head; $3: limit; $4: offset; then the values of the comparisons. */
const selectPage = (comparisons: readonly Comparison[], order: BlockOrder): Query => ({
  // The page is chosen first; what is shown is looked up for its blocks only, one by one.
  text: listOf(`${withPrevious(`(SELECT one.*, p.place FROM (
SELECT p.height, row_number() OVER () AS place FROM (
SELECT b.height FROM blocks b JOIN public_keys k ON k.number = b.generator
WHERE ${allOf(wheresOf(comparisons, FIRST_VALUE))}
ORDER BY ${sortBy(comparisons, order)} LIMIT $3::bigint OFFSET $4::bigint) p) p
CROSS JOIN LATERAL ${blockAt('p.height')} one)`)}
ORDER BY b.place`),
});

/** $1, $2: the head; $3, $4: lowest and highest height. */
const selectHeights = (direction: SortDirection): NamedQuery => ({
  name: `node-blocks-${direction}`,
  text: listOf(blocksOfRange(direction)),
});

const SELECT_HEIGHTS = { asc: selectHeights('asc'), desc: selectHeights('desc') } as const;

const TABLE: FilteredTable = { from: 'blocks b', key: 'b.height', operator: 'AND' };

export interface BlocksPage {
  readonly limit: number;
  readonly offset: number;
  readonly order: BlockOrder;
  /** A block is listed if all of them hold. */
  readonly conditions: readonly Condition<BlockFilter>[];
}

export interface BlockList {
  /** JSON: the objects, separated by commas. */
  readonly blocks: string;
  /** Exact on the last page, without conditions, and for few blocks of a generator; otherwise the planner's estimate. */
  readonly count: number;
}

const isByHeight = ({ order }: BlocksPage): boolean => ORDER_KEYS[order.column] === 'b.height';

const isOfHeights = (page: BlocksPage): boolean => page.conditions.length === 0 && isByHeight(page);

const isWalked = (page: BlocksPage, comparisons: readonly Comparison[]): boolean =>
  isByHeight(page) && page.offset <= SHALLOW && comparisons.some(isFoundByIndex);

type Row = JsonRow & { readonly listed: bigint };

/** Blocks as nodes of 2.x listed them. Every method throws `HeadPassedError`. */
export class NodeBlockListReader {
  /** @param lists for pages whose cost nothing bounds */
  constructor(
    private readonly pool: ReaderPool,
    private readonly lists: ReaderPool,
  ) {}

  /** Whether the page costs little whatever the table holds. If not, it is read by the pool for lists. */
  isBounded(page: BlocksPage): boolean {
    const comparisons = comparisonsOf(FILTERS, page.conditions);
    return (
      isOfHeights(page) || comparisons.some(({ value }) => value === null) || isWalked(page, comparisons)
    );
  }

  async listBlocks(at: BlockRef, page: BlocksPage): Promise<BlockList> {
    const { limit, offset, order, conditions } = page;
    if (isOfHeights(page)) return this.listHeights(at, page);
    const comparisons = comparisonsOf(FILTERS, conditions);
    if (comparisons.some(({ value }) => value === null)) return { blocks: '', count: offset };
    const pool = isWalked(page, comparisons) ? this.pool : this.lists;
    const values = [limit, offset, ...comparisons.map(({ value }) => value)];
    const [row] = await rowsAtHead<Row>(pool, at, selectPage(comparisons, order), values);
    const blocks = jsonOf({ name: 'node-blocks' }, row!);
    const reached = offset + Number(row!.listed);
    if (row!.listed < limit) return { blocks, count: reached };
    if (conditions.length === 0) return { blocks, count: at.height };
    return { blocks, count: Math.max(reached, await countFound(pool, at, TABLE, comparisons)) };
  }

  /** Every height has a block, so a page is a range of heights: a large offset costs nothing. */
  private async listHeights(at: BlockRef, { limit, offset, order }: BlocksPage): Promise<BlockList> {
    if (offset >= at.height) return { blocks: '', count: offset };
    const first = offset + 1;
    const last = Math.min(offset + limit, at.height);
    const heights = order.direction === 'asc' ? [first, last] : [at.height + 1 - last, at.height - offset];
    const query = SELECT_HEIGHTS[order.direction];
    const [row] = await rowsAtHead<Row>(this.pool, at, query, heights);
    return { blocks: jsonOf(query, row!), count: at.height };
  }
}
