import { CORE_TYPE_GROUP, TransactionType, typeOfOldNumber, type BlockRef } from '@roundhouse/chain';
import { transactions } from '@roundhouse/entities/tables';
import { blockAt, blockIdText, hexText, keyOfNumber, signatureText } from '@roundhouse/entities/sql';
import { atHead, found, named } from '../at-head.js';
import { ABOVE_ALL_HEIGHTS } from '../history-accounts.reader.js';
import type { SortDirection } from '../delegate-orders.js';
import {
  asShown,
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

const OWN = columnsOf('t', transactions, 'id', 'version', 'sequence', 'amount', 'fee');

const VERSION = OWN.version.column;

/** SQL of a `NodeTransactionRow`: the transaction is `t`, its block `b`. */
const TRANSACTION = `
  ${hexText('t.id')} AS id, ${blockIdText('b.id')} AS blockid, ${NODE_TYPE} AS type, b."timestamp", t.amount, t.fee,
  (SELECT value FROM addresses WHERE addresses.number = t.recipient) AS "recipientId",
  NULL AS "senderId", ${hexText(keyOfNumber('t.sender'))} AS "senderPublicKey", t.vendor_field AS "vendorField",
  ${signatureText('t.signature')} AS signature, ${signatureText('t.second_signature')} AS "signSignature",
  (SELECT array_agg(${hexText('bytes')} ORDER BY place) FROM unnest(t.signatures) WITH ORDINALITY AS listed (bytes, place))
    AS signatures,
  (${NODE_ASSET})::text AS asset, $1 - b.height AS confirmations, ${VERSION} AS version`;

/** A transaction, with the names and the order of a node; null for what it does not have. Amounts are in arktoshi. */
export interface NodeTransactionRow {
  readonly id: string;
  readonly blockid: string;
  readonly type: number;
  /** The block's, in seconds since the epoch: nodes showed it in place of the sender's. */
  readonly timestamp: number;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly recipientId: string | null;
  /** Its place only: no table has the address of every key. */
  readonly senderId: null;
  readonly senderPublicKey: string;
  readonly vendorField: Buffer | null;
  readonly signature: string | null;
  readonly signSignature: string | null;
  readonly signatures: readonly string[] | null;
  /** JSON in the node's form. */
  readonly asset: string | null;
  readonly confirmations: number;
  readonly version: number;
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
  const { typeGroup, type } = typeOfOldNumber(Number(text));
  return typeGroup === CORE_TYPE_GROUP ? type : null;
};

/** What PostgreSQL's jsonb cannot hold. */
const NOT_IN_JSONB = /\\u(0000|d[89ab])/;

/** As text that jsonb accepts. */
const readJson = (text: string): string | null => {
  try {
    const json = JSON.stringify(JSON.parse(text));
    return NOT_IN_JSONB.test(json) ? null : json;
  } catch {
    return null;
  }
};

/** SQL of an integer of so many bytes, from its lowest byte on. */
const littleEndian = (integer: string, size: 4 | 8, kept: number = size): string =>
  Array.from({ length: kept }, (_, index) => `substr(int${size}send(${integer}), ${size - index}, 1)`).join(
    ' || ',
  );

/**
 * The signed bytes in the order of version 1, up to the recipient: base58 sorts addresses of one length as their bytes.
 * The bytes after it hardly ever decide.
 */
const SERIALIZED = [
  littleEndian(VERSION, 4, 1),
  littleEndian('t.type', 4, 1),
  littleEndian('t."timestamp"', 4),
  'sender.value',
  littleEndian('t.fee', 8),
  littleEndian(`length(coalesce(t.vendor_field, ''))`, 4, 1),
  `coalesce(t.vendor_field, '')`,
  littleEndian('t.amount', 8),
  `convert_to(coalesce(recipient.value, ''), 'UTF8')`,
].join(' || ');

// A subquery would look up each row by itself. Joined, the planner may read a whole table, or walk the keys in order.
const JOIN_BLOCK = 'JOIN blocks b ON b.height = t.block_height';
const JOIN_SENDER = 'JOIN public_keys sender ON sender.number = t.sender';
const JOIN_RECIPIENT = 'LEFT JOIN addresses recipient ON recipient.number = t.recipient';

const SENDER = {
  column: 't.sender',
  read: READ.hex,
  lookUp: keyNumber,
  isIndexed: true,
  sortKey: 'sender.value',
  sortJoin: JOIN_SENDER,
} satisfies ListColumn;

const COLUMNS = {
  blockId: {
    column: 't.block_height',
    read: READ['block id'],
    isIndexed: true,
    lookUp: (id) => `SELECT height FROM blocks WHERE id = ${id}`,
    sortKey: asShown('block id', 'b.id'),
    sortJoin: JOIN_BLOCK,
  },
  // The block's, so heights have the same order.
  timestamp: {
    column: 't.block_height',
    read: READ.integer,
    lookUp: (timestamp) => `SELECT height FROM blocks WHERE "timestamp" = ${timestamp} LIMIT 1`,
  },
  senderPublicKey: SENDER,
  /** The sender's address; it sorts no list. */
  senderId: {
    ...SENDER,
    read: String,
    lookUp: (address) =>
      `SELECT k.number FROM accounts a JOIN public_keys k ON k.value = a.public_key WHERE a.address = ${address}`,
  },
  recipientId: {
    column: 't.recipient',
    isIndexed: true,
    sortKey: 'recipient.value',
    sortJoin: JOIN_RECIPIENT,
    // PostgreSQL refuses text with NUL, and no value has one.
    read: (text) => (text.includes('\0') ? null : text),
    lookUp: (text) => `SELECT number FROM addresses WHERE value = ${text}`,
  },
  type: {
    column: 't.type',
    read: readOldType,
    equals: (type) => `t.type_group = ${CORE_TYPE_GROUP} AND t.type = ${type}`,
    // The index of types has no transfers.
    isIndexed: (type) => type !== TransactionType.Transfer,
  },
  vendorFieldHex: columnsOf('t', transactions, 'vendorField').vendorField,
  ...OWN,
  id: { ...OWN.id, isIndexed: true },
  // The node compared bytes with the text that was sent, which is never the same.
  serialized: { column: SERIALIZED, read: () => null, sortJoin: `${JOIN_SENDER} ${JOIN_RECIPIENT}` },
  asset: { column: `(${NODE_ASSET})`, read: readJson },
} satisfies Readonly<Record<string, ListColumn>>;

export type TransactionColumn = keyof typeof COLUMNS;

export const TRANSACTION_COLUMNS = Object.keys(COLUMNS) as TransactionColumn[];

/** Null: by the position in the block. */
export type TransactionOrder = ListOrder<Exclude<TransactionColumn, 'senderId'>> | null;

export type NodeTransactionsPage = ListPage<TransactionColumn, TransactionOrder>;

const KEY = 't.block_height, t.sequence';

const PAGE = 'LIMIT $3::bigint OFFSET $4::bigint';

/** Of the indexes that continue with the height: the columns, what precedes the value, and what holds for the rows. */
const INDEXES: Readonly<Record<string, readonly [columns: string[], before: string, where: string]>> = {
  't.sender': [['t.sender'], '', 'true'],
  't.recipient': [['t.recipient'], '', 't.recipient IS NOT NULL'],
  't.type': [['t.type_group', 't.type'], `${CORE_TYPE_GROUP}, `, '(t.type <> 0 OR t.type_group <> 1)'],
};

/**
 * SQL of the newest or oldest places that one filter finds, as many as the page needs. Comparing whole rows leaves the
 * planner no other plan than to walk the filter's index: it would sometimes walk all transactions by height.
 */
const placesOf = (comparison: Comparison, direction: SortDirection): string => {
  const index = isFoundByIndex(comparison) && INDEXES[comparison.column];
  const [columns, before, holds] = index || [[], '', ''];
  const sorted = [...columns, 't.block_height'];
  const bound = (height: number): string => `(${before}${comparison.value}, ${height})`;
  const isBetween = `(${sorted.join(', ')}) >= ${bound(0)} AND (${sorted.join(', ')}) <= ${bound(ABOVE_ALL_HEIGHTS)}`;
  return `(SELECT ${KEY} FROM transactions t
  WHERE ${index ? `${isBetween} AND ${holds}` : comparison.where}
  ORDER BY ${sorted.map((name) => `${name} ${direction}`).join(', ')}, t.sequence DESC LIMIT $3::bigint + $4::bigint)`;
};

/**
 * SQL of the places of a page. Indexes have the order of time, so each filter walks its index no further than the page
 * needs; UNION drops what two of them found. Other orders sort all that the filters find. Equal ones are listed by their
 * position in the block, last first.
 */
const pageOf = (comparisons: readonly Comparison[], order: TransactionOrder): string => {
  const column: ListColumn | null = order && COLUMNS[order.column];
  const sortBy = `${column ? `${sortKeyOf(column)} ${order!.direction}, ` : ''}t.sequence DESC`;
  if (order?.column !== 'timestamp' || comparisons.length === 0) {
    const where = comparisons.map((one) => `(${one.where})`).join(' OR ') || 'true';
    return `SELECT ${KEY} FROM transactions t ${column?.sortJoin ?? ''} WHERE ${where} ORDER BY ${sortBy} ${PAGE}`;
  }
  const branches = comparisons.map((one) => placesOf(one, order.direction));
  return `SELECT * FROM (${branches.join(' UNION ')}) t ORDER BY ${sortBy} ${PAGE}`;
};

/**
 * $1, $2: the head; $3: limit; $4: offset; then the parameters of the comparisons. OFFSET 0 keeps the planner from reading
 * whole blocks: it would look up the height alone and compare the positions.
 */
const selectPage = (comparisons: readonly Comparison[], order: TransactionOrder): string =>
  atHead(
    'listed.*',
    `LEFT JOIN LATERAL (
  SELECT ${TRANSACTION}
  FROM (SELECT p.*, row_number() OVER () AS place FROM (${pageOf(comparisons, order)}) p) p
  CROSS JOIN LATERAL (
    SELECT * FROM transactions one WHERE one.block_height = p.block_height AND one.sequence = p.sequence OFFSET 0) t
  CROSS JOIN LATERAL ${blockAt('p.block_height')} b
  ORDER BY p.place
) listed ON true`,
  );

/** Transactions as nodes of 2.x listed them. */
export class NodeTransactionsReader extends FilteredListReader<TransactionColumn, TransactionOrder> {
  /** A transaction is listed if any of the conditions holds; all are listed if there is none. */
  protected readonly table = {
    ...({ from: 'transactions t', key: KEY, walkedBy: 't.block_height', operator: 'OR' } as const),
    columns: COLUMNS,
  };

  async findTransaction(at: BlockRef, id: string): Promise<NodeTransactionRow | undefined> {
    return found(await this.rows<NodeTransactionRow>(at, SELECT_TRANSACTION, READ.hex(id)), 'id')[0];
  }

  /** The count is that of `FilteredListReader.count`. */
  async listTransactions(at: BlockRef, page: NodeTransactionsPage) {
    const search = this.searchFor(page);
    if (!search) return { transactions: [], count: page.offset };
    const text = selectPage(search.comparisons, page.order);
    const transactions = found(await this.readPage<NodeTransactionRow>(at, page, search, text), 'id');
    return { transactions, count: await this.count(at, page, transactions.length, search) };
  }
}
