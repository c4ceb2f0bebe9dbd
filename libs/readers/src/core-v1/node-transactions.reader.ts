import { CORE_TYPE_GROUP, TransactionType, typeOfOldNumber, type BlockRef } from '@roundhouse/chain';
import { transactions } from '@roundhouse/entities/tables';
import {
  blockAt,
  blockIdText,
  columnOf,
  hexText,
  isEqualIn,
  keyOfNumber,
  signatureText,
} from '@roundhouse/entities/sql';
import { atHead, found, named } from '../at-head.js';
import { ABOVE_ALL_HEIGHTS } from '../history-accounts.reader.js';
import type { SortDirection } from '../delegate-orders.js';
import {
  always,
  byNumber,
  FilteredListReader,
  isFoundByIndex,
  keyNumber,
  readAmount,
  readBlockId,
  readHex,
  readInteger,
  readJson,
  readText,
  searchOf,
  sortKeyOf,
  valuesOf,
  wheresOf,
  type Comparison,
  type FilteredTable,
  type ListColumn,
  type ListOrder,
  type ListPage,
  type Search,
} from './list-filters.js';

const { SecondSignature, DelegateRegistration, MultiPayment, DelegateResignation, HtlcClaim, HtlcRefund } =
  TransactionType;

/** A node's asset of the transaction `t`: the column holds it as the ledger reads it. */
const NODE_ASSET = `CASE WHEN t.type_group <> ${CORE_TYPE_GROUP} THEN t.asset::jsonb -> 'other' ELSE CASE t.type
  WHEN ${SecondSignature} THEN jsonb_build_object('signature', jsonb_build_object('publicKey', t.asset -> 'secondPublicKey'))
  WHEN ${DelegateRegistration} THEN jsonb_build_object('delegate', jsonb_build_object('username', t.asset -> 'username'))
  WHEN ${MultiPayment} THEN jsonb_build_object('payments', (SELECT jsonb_agg(
    jsonb_build_object('amount', (payment ->> 1)::bigint, 'recipientId', payment ->> 0) ORDER BY place)
    FROM json_array_elements(t.asset -> 'payments') WITH ORDINALITY AS listed (payment, place)))
  WHEN ${HtlcClaim} THEN jsonb_build_object('claim', t.asset)
  WHEN ${HtlcRefund} THEN jsonb_build_object('refund', t.asset)
  ELSE t.asset::jsonb END END`;

/** The number that nodes of 2.4 gave the type of the transaction `t`. */
const NODE_TYPE = `CASE WHEN t.type_group = ${CORE_TYPE_GROUP} AND t.type IN (${MultiPayment}, ${DelegateResignation}) THEN t.type + 1 ELSE t.type END`;

const VERSION = columnOf('t', transactions, 'version');
const SENDER_KEY = keyOfNumber('t.sender');
const RECIPIENT = '(SELECT value FROM addresses WHERE addresses.number = t.recipient)';

/** SQL of a `NodeTransactionRow`: the transaction is `t`, its block `b`. */
const TRANSACTION = `
  ${hexText('t.id')} AS id, ${blockIdText('b.id')} AS "blockId", b.height, b."timestamp", ${VERSION} AS version, ${NODE_TYPE} AS type, t.amount, t.fee,
  ${hexText(SENDER_KEY)} AS "senderPublicKey", ${RECIPIENT} AS "recipientId", t.vendor_field AS "vendorField",
  ${signatureText('t.signature')} AS signature, ${signatureText('t.second_signature')} AS "secondSignature",
  ARRAY(SELECT ${hexText('bytes')} FROM unnest(t.signatures) WITH ORDINALITY AS listed (bytes, place) ORDER BY place)
    AS signatures,
  (${NODE_ASSET})::text AS asset`;

/** A transaction as tables hold it; amounts in arktoshi. */
export interface NodeTransactionRow {
  readonly id: string;
  readonly blockId: string;
  readonly height: number;
  /** The block's, in seconds since the epoch: nodes showed it in place of the sender's. */
  readonly timestamp: number;
  readonly version: number;
  readonly type: number;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly senderPublicKey: string;
  readonly recipientId: string | null;
  readonly vendorField: Buffer | null;
  readonly signature: string | null;
  readonly secondSignature: string | null;
  /** Empty if there are none. */
  readonly signatures: readonly string[];
  /** JSON in the node's form; null if there is none. */
  readonly asset: string | null;
}

/** $1, $2: the head; $3: the id. */
const SELECT_TRANSACTION = named(
  'node-transaction',
  atHead(
    'found.*',
    `LEFT JOIN LATERAL (
  SELECT ${TRANSACTION} FROM transactions t JOIN blocks b ON b.height = t.block_height WHERE t.id = $3
) found ON true`,
  ),
);

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

// A subquery would look up each row by itself. Joined, the planner may read a whole table, or walk the keys in order.
const JOIN_BLOCK = 'JOIN blocks b ON b.height = t.block_height';
const JOIN_SENDER = 'JOIN public_keys sender ON sender.number = t.sender';
const JOIN_RECIPIENT = 'LEFT JOIN addresses recipient ON recipient.number = t.recipient';

/** `senderId` is the sender's address; it sorts no list. */
const COLUMNS = {
  id: { column: 't.id', read: readHex, isIndexed: always },
  version: { column: isEqualIn('t', transactions, 'version'), read: readInteger, sortKey: VERSION },
  blockId: {
    ...byNumber('t.block_height', readBlockId, (id) => `SELECT height FROM blocks WHERE id = ${id}`),
    ...{ sortKey: `(${blockIdText('b.id')}) COLLATE "C"`, sortJoin: JOIN_BLOCK },
  },
  sequence: { column: 't.sequence', read: readInteger },
  // The block's, so heights have the same order.
  timestamp: {
    column: 't.block_height',
    read: readInteger,
    lookUp: (timestamp) => `SELECT height FROM blocks WHERE "timestamp" = ${timestamp} LIMIT 1`,
  },
  senderPublicKey: {
    ...byNumber('t.sender', readHex, keyNumber),
    ...{ sortKey: 'sender.value', sortJoin: JOIN_SENDER },
  },
  recipientId: {
    ...byNumber('t.recipient', readText, (text) => `SELECT number FROM addresses WHERE value = ${text}`),
    ...{ sortKey: 'recipient.value', sortJoin: JOIN_RECIPIENT },
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
  // The node compared bytes with the text that was sent, which is never the same.
  serialized: {
    ...{ column: 'NULL', read: () => null },
    ...{ sortKey: SERIALIZED, sortJoin: `${JOIN_SENDER} ${JOIN_RECIPIENT}` },
  },
  asset: { column: `(${NODE_ASSET})`, read: readJson },
  senderId: byNumber(
    't.sender',
    readText,
    (address) =>
      `SELECT k.number FROM accounts a JOIN public_keys k ON k.value = a.public_key WHERE a.address = ${address}`,
  ),
} satisfies Readonly<Record<string, ListColumn>>;

export type TransactionColumn = keyof typeof COLUMNS;

export const TRANSACTION_COLUMNS = Object.keys(COLUMNS) as TransactionColumn[];

export type TransactionOrder = ListOrder<Exclude<TransactionColumn, 'senderId'>>;

/** A transaction is listed if any of the conditions holds; all are listed if there is none. */
const TABLE: FilteredTable<TransactionColumn> = {
  ...{ from: 'transactions t', key: 't.block_height, t.sequence', operator: 'OR', columns: COLUMNS },
};

/** Equal ones are listed by their position in the block, last first; without an order, all are. */
const sortBy = (order: TransactionOrder | null): string =>
  order === null
    ? 't.sequence DESC'
    : `${sortKeyOf(COLUMNS[order.column])} ${order.direction}, t.sequence DESC`;

const PAGE = 'LIMIT $3::bigint OFFSET $4::bigint';

/** How far into the rows of one filter a page can reach. */
const REACH = 'LIMIT $3::bigint + $4::bigint';

// OFFSET 0 keeps the planner from reading whole blocks: it would look up the height alone and compare the positions.
const ONE_TRANSACTION = `
  SELECT * FROM transactions one WHERE one.block_height = p.block_height AND one.sequence = p.sequence OFFSET 0`;

const FIRST_VALUE = 5;

/** Of the filters whose index continues with the height: what comes before the filter's column, and what holds for its rows. */
const INDEXES: Readonly<Record<string, { before: [column: string, value: string][]; where: string }>> = {
  't.sender': { before: [], where: 'true' },
  't.recipient': { before: [], where: 't.recipient IS NOT NULL' },
  't.type': { before: [['t.type_group', `${CORE_TYPE_GROUP}`]], where: '(t.type <> 0 OR t.type_group <> 1)' },
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
  const index = isFoundByIndex(comparison) && INDEXES[column];
  if (!index)
    return `SELECT ${TABLE.key} FROM ${TABLE.from} WHERE ${where} ORDER BY ${sortBy({ column: 'timestamp', direction })} ${REACH}`;
  const columns = [...index.before.map(([name]) => name), column];
  const values = [...index.before.map(([, sql]) => sql), value];
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
    const join = (order && TABLE.columns[order.column].sortJoin) ?? '';
    return `SELECT ${TABLE.key} FROM ${TABLE.from} ${join} WHERE ${where} ORDER BY ${sortBy(order)} ${PAGE}`;
  }
  const values = valuesOf(comparisons, FIRST_VALUE);
  const branches = comparisons.map(
    (comparison, index) => `(${placesOf(comparison, [wheres[index]!, values[index]!], order.direction)})`,
  );
  return `SELECT * FROM (${branches.join(' UNION ')}) t ORDER BY ${sortBy(order)} ${PAGE}`;
};

/** $1, $2: the head; $3: limit; $4: offset; then the values of the comparisons. */
const selectPage = (comparisons: readonly Comparison[], order: TransactionOrder | null): string =>
  atHead(
    'listed.*',
    `LEFT JOIN LATERAL (
  SELECT ${TRANSACTION}
  FROM (SELECT p.*, row_number() OVER () AS place FROM (${pageOf(comparisons, order)}) p) p
  CROSS JOIN LATERAL (${ONE_TRANSACTION}) t
  CROSS JOIN LATERAL ${blockAt('p.block_height')} b
  ORDER BY p.place
) listed ON true`,
  );

/** No order: by the position in the block. */
type TransactionsPage = ListPage<TransactionColumn, TransactionOrder | null>;

interface TransactionList {
  readonly transactions: readonly NodeTransactionRow[];
  /** See `FilteredListReader.count`. */
  readonly count: number;
}

/** Transactions as nodes of 2.x listed them. */
export class NodeTransactionsReader extends FilteredListReader<TransactionsPage> {
  async findTransaction(at: BlockRef, id: string): Promise<NodeTransactionRow | undefined> {
    return found(await this.rows<NodeTransactionRow>(at, SELECT_TRANSACTION, readHex(id)), 'id')[0];
  }

  async listTransactions(at: BlockRef, page: TransactionsPage): Promise<TransactionList> {
    const search = this.searchFor(page);
    if (search.isImpossible) return { transactions: [], count: page.offset };
    const text = selectPage(search.comparisons, page.order);
    const transactions = found(await this.readPage<NodeTransactionRow>(at, page, search, text), 'id');
    return { transactions, count: await this.count(at, page, transactions.length, search) };
  }

  protected searchFor(page: TransactionsPage): Search {
    return searchOf(TABLE, page, page.order?.column === 'timestamp');
  }
}
