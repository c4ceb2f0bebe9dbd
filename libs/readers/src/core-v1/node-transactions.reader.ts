import { CORE_TYPE_GROUP, TransactionType, typeOfOldNumber, type BlockRef } from '@roundhouse/chain';
import { transactions } from '@roundhouse/entities/tables';
import { blockAt, blockIdText, isEqualIn } from '@roundhouse/entities/sql';
import { atHead, rowsAtHead } from '../at-head.js';
import { ABOVE_ALL_HEIGHTS } from '../history-accounts.reader.js';
import type { SortDirection } from '../delegate-orders.js';
import type { NamedQuery, Query, ReaderPool } from '../reader-pool.js';
import { countFound, type FilteredTable } from './count-found.js';
import { NODE_ASSET, TRANSACTION, VERSION, type NodeTransactionRow } from './node-transaction.js';
import {
  always,
  comparisonsOf,
  isFoundByIndex,
  readAmount,
  readBlockId,
  readHex,
  readInteger,
  readJson,
  readText,
  SHALLOW,
  valuesOf,
  wheresOf,
  type Comparison,
  type Condition,
  type Filter,
} from './list-filters.js';

type Row = NodeTransactionRow | { readonly id: null };

const isFound = (row: Row): row is NodeTransactionRow => row.id !== null;

/** $1, $2: the head; $3: the id. */
const SELECT_TRANSACTION: NamedQuery = {
  name: 'node-transaction',
  text: atHead(
    'found.*',
    `LEFT JOIN LATERAL (
  SELECT ${TRANSACTION} FROM transactions t JOIN blocks b ON b.height = t.block_height WHERE t.id = $3
) found ON true`,
  ),
};

/**
 * The type that nodes of 2.4 gave this number; null for one that no transaction has. They had no locks, whose number now
 * was that of resignations, so no filter finds locks.
 */
const readOldType = (text: string): number | null => {
  const old = readInteger(text);
  if (old === null) return null;
  const { typeGroup, type } = typeOfOldNumber(old);
  return typeGroup === CORE_TYPE_GROUP ? type : null;
};

/** The filters of the list, by the node's names of the columns. `senderId` is the sender's address. */
const FILTERS = {
  id: { column: 't.id', read: readHex, isIndexed: always },
  version: { column: isEqualIn('t', transactions, 'version'), read: readInteger },
  blockId: {
    column: 't.block_height',
    read: readBlockId,
    lookUp: (id) => `SELECT height FROM blocks WHERE id = ${id}`,
    isIndexed: always,
  },
  sequence: { column: 't.sequence', read: readInteger },
  timestamp: {
    column: 't.block_height',
    read: readInteger,
    lookUp: (timestamp) => `SELECT height FROM blocks WHERE "timestamp" = ${timestamp} LIMIT 1`,
  },
  senderPublicKey: {
    column: 't.sender',
    read: readHex,
    lookUp: (key) => `SELECT number FROM public_keys WHERE value = ${key}`,
    isIndexed: always,
  },
  senderId: {
    column: 't.sender',
    read: readText,
    lookUp: (address) =>
      `SELECT k.number FROM accounts a JOIN public_keys k ON k.value = a.public_key WHERE a.address = ${address}`,
    isIndexed: always,
  },
  recipientId: {
    column: 't.recipient',
    read: readText,
    lookUp: (address) => `SELECT number FROM addresses WHERE value = ${address}`,
    isIndexed: always,
  },
  type: {
    column: 't.type',
    read: readOldType,
    besides: `t.type_group = ${CORE_TYPE_GROUP}`,
    // The index of types has no transfers.
    isIndexed: (type) => type !== TransactionType.Transfer,
  },
  vendorFieldHex: { column: 't.vendor_field', read: readHex },
  amount: { column: 't.amount', read: readAmount },
  fee: { column: 't.fee', read: readAmount },
  asset: { column: `(${NODE_ASSET})`, read: readJson },
  // The node compared bytes with the text that was sent, which is never the same.
  serialized: { column: 'NULL', read: () => null },
} satisfies Readonly<Record<string, Filter>>;

export type TransactionFilter = keyof typeof FILTERS;

const littleEndian = (bytes: string, length: number): string =>
  Array.from({ length }, (_, index) => `substr(${bytes}, ${length - index}, 1)`).join(' || ');

const lowestByte = (integer: string): string => `substr(int4send(${integer}), 4, 1)`;

/**
 * The signed bytes in the order of version 1, up to the recipient: base58 sorts addresses of one length as their bytes.
 * The bytes after it hardly ever decide.
 */
const SERIALIZED = [
  lowestByte(VERSION),
  lowestByte('t.type'),
  littleEndian('int4send(t."timestamp")', 4),
  'sender.value',
  littleEndian('int8send(t.fee)', 8),
  lowestByte(`length(coalesce(t.vendor_field, ''))`),
  `coalesce(t.vendor_field, '')`,
  littleEndian('int8send(t.amount)', 8),
  `convert_to(coalesce(recipient.value, ''), 'UTF8')`,
].join(' || ');

const TABLE: FilteredTable = { from: 'transactions t', key: 't.block_height, t.sequence', operator: 'OR' };

// A subquery would look up each row by itself. Joined, the planner may read a whole table, or walk the keys in order.
const JOIN_BLOCK = 'JOIN blocks b ON b.height = t.block_height';
const JOIN_SENDER = 'JOIN public_keys sender ON sender.number = t.sender';
const JOIN_RECIPIENT = 'LEFT JOIN addresses recipient ON recipient.number = t.recipient';

/** SQL of what the list is sorted by, by the node's names of the columns. */
const ORDER_KEYS = {
  /** The block's, so heights have the same order. */
  timestamp: 't.block_height',
  id: 't.id',
  version: VERSION,
  blockId: `(${blockIdText('b.id')}) COLLATE "C"`,
  sequence: 't.sequence',
  senderPublicKey: 'sender.value',
  recipientId: 'recipient.value',
  type: 't.type',
  vendorFieldHex: 't.vendor_field',
  amount: 't.amount',
  fee: 't.fee',
  serialized: SERIALIZED,
  asset: `(${NODE_ASSET})`,
} as const;

/** What the sort keys of other tables need. */
const ORDER_JOINS: Partial<Record<keyof typeof ORDER_KEYS, string>> = {
  blockId: JOIN_BLOCK,
  senderPublicKey: JOIN_SENDER,
  recipientId: JOIN_RECIPIENT,
  serialized: `${JOIN_SENDER} ${JOIN_RECIPIENT}`,
};

export interface TransactionOrder {
  readonly column: keyof typeof ORDER_KEYS;
  readonly direction: SortDirection;
}

/** Equal ones are listed by their position in the block, last first; without an order, all are. */
const sortBy = (order: TransactionOrder | null): string =>
  order === null ? 't.sequence DESC' : `${ORDER_KEYS[order.column]} ${order.direction}, t.sequence DESC`;

const PAGE = 'LIMIT $3::bigint OFFSET $4::bigint';

/** How far into the rows of one filter a page can reach. */
const REACH = 'LIMIT $3::bigint + $4::bigint';

// OFFSET 0 keeps the planner from reading whole blocks: it would look up the height alone and compare the positions.
const ONE_TRANSACTION = `
  SELECT * FROM transactions one WHERE one.block_height = p.block_height AND one.sequence = p.sequence OFFSET 0`;

const FIRST_VALUE = 5;

/** SQL of the columns that begin an index before the height, and what holds for its rows. The last one is that of a filter. */
const INDEXES: Readonly<
  Record<string, { readonly before?: [column: string, value: number]; readonly where: string }>
> = {
  't.sender': { where: 'true' },
  't.recipient': { where: 't.recipient IS NOT NULL' },
  't.type': { before: ['t.type_group', CORE_TYPE_GROUP], where: '(t.type <> 0 OR t.type_group <> 1)' },
};

/**
 * SQL of the newest or oldest places that one filter finds, as many as the page needs. Comparing whole rows leaves the
 * planner no other plan than to walk the filter's index: it would sometimes walk all transactions by height.
 */
const placesOf = (
  comparison: Comparison,
  [where, value]: [where: string, value: string],
  direction: SortDirection,
): string => {
  const column = String(comparison.column);
  const index = isFoundByIndex(comparison) ? INDEXES[column] : undefined;
  if (!index)
    return `SELECT ${TABLE.key} FROM ${TABLE.from} WHERE ${where} ORDER BY ${sortBy({ column: 'timestamp', direction })} ${REACH}`;
  const [columns, values] = index.before
    ? [
        [index.before[0], column],
        [index.before[1], value],
      ]
    : [[column], [value]];
  const row = `(${columns.join(', ')}, t.block_height)`;
  const bound = (height: number): string => `(${values.join(', ')}, ${height})`;
  return `SELECT ${TABLE.key} FROM ${TABLE.from}
  WHERE ${row} >= ${bound(0)} AND ${row} <= ${bound(ABOVE_ALL_HEIGHTS)} AND ${index.where}
  ORDER BY ${[...columns, 't.block_height'].map((name) => `${name} ${direction}`).join(', ')}, t.sequence DESC ${REACH}`;
};

/**
 * SQL of the places of a page. Indexes have the order of time, so each filter walks its index no further than the page
 * needs; UNION drops what two of them found. Other orders sort all that the filters find.
 */
const pageOf = (comparisons: readonly Comparison[], order: TransactionOrder | null): string => {
  const wheres = wheresOf(comparisons, FIRST_VALUE);
  if (order?.column !== 'timestamp' || wheres.length === 0) {
    const where = wheres.length === 0 ? 'true' : wheres.map((one) => `(${one})`).join(' OR ');
    const join = (order && ORDER_JOINS[order.column]) ?? '';
    return `SELECT ${TABLE.key} FROM ${TABLE.from} ${join} WHERE ${where} ORDER BY ${sortBy(order)} ${PAGE}`;
  }
  const values = valuesOf(comparisons, FIRST_VALUE);
  const branches = comparisons.map(
    (comparison, index) => `(${placesOf(comparison, [wheres[index]!, values[index]!], order.direction)})`,
  );
  return `SELECT * FROM (${branches.join(' UNION ')}) t ORDER BY ${sortBy(order)} ${PAGE}`;
};

/** $1, $2: the head; $3: limit; $4: offset; then the values of the comparisons. */
const selectPage = (comparisons: readonly Comparison[], order: TransactionOrder | null): Query => ({
  text: atHead(
    'listed.*',
    `LEFT JOIN LATERAL (
  SELECT ${TRANSACTION}
  FROM (SELECT p.*, row_number() OVER () AS place FROM (${pageOf(comparisons, order)}) p) p
  CROSS JOIN LATERAL (${ONE_TRANSACTION}) t
  CROSS JOIN LATERAL ${blockAt('p.block_height')} b
  ORDER BY p.place
) listed ON true`,
  ),
});

export interface TransactionsPage {
  readonly limit: number;
  readonly offset: number;
  /** Null: by the position in the block alone. */
  readonly order: TransactionOrder | null;
  /** A transaction is listed if any of them holds; all are listed if there is none. */
  readonly conditions: readonly Condition<TransactionFilter>[];
}

export interface TransactionList {
  readonly transactions: readonly NodeTransactionRow[];
  /** Exact on the last page, and if indexes find no more than 10,000; otherwise the planner's estimate. */
  readonly count: number;
}

/** The conditions that a transaction can meet. */
const possible = ({ conditions }: TransactionsPage): Comparison[] =>
  comparisonsOf(FILTERS, conditions).filter(({ value }) => value !== null);

const isWalked = ({ order, offset }: TransactionsPage, comparisons: readonly Comparison[]): boolean =>
  order?.column === 'timestamp' && offset <= SHALLOW && comparisons.every(isFoundByIndex);

/** Transactions as nodes of 2.x listed them. Every method throws `HeadPassedError`. */
export class NodeTransactionsReader {
  /** @param lists for pages whose cost nothing bounds */
  constructor(
    private readonly pool: ReaderPool,
    private readonly lists: ReaderPool,
  ) {}

  async findTransaction(at: BlockRef, id: string): Promise<NodeTransactionRow | null> {
    const [row] = await rowsAtHead<Row>(this.pool, at, SELECT_TRANSACTION, [readHex(id)]);
    return isFound(row!) ? row : null;
  }

  /** Whether the page costs little whatever the table holds. If not, it is read by the pool for lists. */
  isBounded(page: TransactionsPage): boolean {
    const comparisons = possible(page);
    return (page.conditions.length > 0 && comparisons.length === 0) || isWalked(page, comparisons);
  }

  async listTransactions(at: BlockRef, page: TransactionsPage): Promise<TransactionList> {
    const { limit, offset, order, conditions } = page;
    const comparisons = possible(page);
    if (conditions.length > 0 && comparisons.length === 0) return { transactions: [], count: offset };
    const pool = isWalked(page, comparisons) ? this.pool : this.lists;
    const values = [limit, offset, ...comparisons.map(({ value }) => value)];
    const rows = await rowsAtHead<Row>(pool, at, selectPage(comparisons, order), values);
    const transactions = rows.filter(isFound);
    const listed = offset + transactions.length;
    if (transactions.length < limit) return { transactions, count: listed };
    return { transactions, count: Math.max(listed, await countFound(pool, at, TABLE, comparisons)) };
  }
}
