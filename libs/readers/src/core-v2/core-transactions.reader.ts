import { CORE_TYPE_GROUP, TransactionType, type BlockRef } from '@roundhouse/chain';
import { transactions } from '@roundhouse/entities/tables';
import {
  blockAt,
  blockIdText,
  columnOf,
  hexText,
  keyOfNumber,
  NODE_ASSET,
  NODE_NONCE,
  signatureText,
} from '@roundhouse/entities/sql';
import { atHead, found, selectAtHead } from '../at-head.js';
import { asShown, keyNumber, READ } from '../core-v1/list-filters.js';
import { OPPOSITE } from '../delegate-orders.js';
import { assetCandidates } from './asset-candidates.js';
import {
  bytesField,
  numberField,
  plainText,
  timeField,
  type CoreField,
  Parameters,
  type Wanted,
} from './core-fields.js';
import { withNonces } from './nonces.js';
import {
  conditionOf,
  CoreListReader,
  PAGE,
  SHALLOW,
  type CoreListPage,
  type CorePage,
  type Walk,
} from './core-list.js';
import {
  dayOfOffset,
  isOfFewParties,
  isOfTypes,
  nameOfTypes,
  placesOfType,
  rareTypeOf,
  timeOrderOf,
  TRANSACTION_AT_PLACE,
  walkOfParties,
  type TimeOrder,
} from './transaction-walks.js';

/** A transaction with the names of a node's own fields; null for what it does not have. Amounts are in arktoshi. */
export interface CoreTransactionRow {
  readonly id: string;
  readonly blockId: string;
  readonly blockHeight: number;
  /** That of the block, in seconds since the epoch. */
  readonly blockTimestamp: number;
  readonly sequence: number;
  readonly version: number;
  /** Null if the network's byte was not sent. */
  readonly network: number | null;
  readonly typeGroup: number;
  readonly type: number;
  /** As the sender signed it. */
  readonly timestamp: number | null;
  readonly nonce: bigint;
  readonly senderPublicKey: string;
  readonly recipientId: string | null;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly expiration: bigint | null;
  readonly vendorField: Buffer | null;
  /** JSON in the node's form. */
  readonly asset: string | null;
  readonly signature: string | null;
  readonly secondSignature: string | null;
  readonly signatures: readonly string[] | null;
}

/** Nonces of version 1 are not stored. */
export type CoreStoredTransactionRow = Omit<CoreTransactionRow, 'nonce'> & { readonly nonce: bigint | null };

const { Vote, MultiPayment, HtlcClaim, HtlcRefund } = TransactionType;

const VERSION = columnOf('t', transactions, 'version');

/** SQL of a `CoreTransactionRow`, without nonces of version 1: the transaction is `t`, its block `b`. */
const TRANSACTION = `
  ${hexText('t.id')} AS id, ${blockIdText('b.id')} AS "blockId", t.block_height AS "blockHeight",
  b."timestamp" AS "blockTimestamp", t.sequence, ${VERSION} AS version, t.network, t.type_group AS "typeGroup", t.type,
  t."timestamp", t.nonce, ${hexText(keyOfNumber('t.sender'))} AS "senderPublicKey",
  (SELECT value FROM addresses WHERE addresses.number = t.recipient) AS "recipientId", t.amount, t.fee, t.expiration,
  t.vendor_field AS "vendorField", (${NODE_ASSET})::text AS asset, ${signatureText('t.signature')} AS signature,
  ${signatureText('t.second_signature')} AS "secondSignature",
  (SELECT array_agg(${hexText('bytes')} ORDER BY place) FROM unnest(t.signatures) WITH ORDINALITY AS listed (bytes, place))
    AS signatures`;

const BLOCK = `CROSS JOIN LATERAL ${blockAt('t.block_height')} b`;

/** $1, $2: the head; $3: the id. */
const SELECT_TRANSACTION = selectAtHead(
  'core-transaction',
  'found.*',
  `LEFT JOIN LATERAL (SELECT ${TRANSACTION} FROM transactions t ${BLOCK} WHERE t.id = $3) found ON true`,
);

/** $1, $2: the head; $3: the height. */
const SELECT_OF_BLOCK = selectAtHead(
  'core-block-transactions',
  'found.*',
  `LEFT JOIN LATERAL (SELECT ${TRANSACTION} FROM transactions t ${BLOCK} WHERE t.block_height = $3) found ON true`,
  'ORDER BY found.sequence',
);

const senderOf = (address: string): string =>
  `t.sender = (SELECT k.number FROM accounts a JOIN public_keys k ON k.value = a.public_key WHERE a.address = ${address})`;

const IS_CORE = `t.type_group = ${CORE_TYPE_GROUP}`;

/** A vote of version 1 has its sender as the recipient. */
const recipientOf = (
  address: string,
): string => `(t.recipient = (SELECT number FROM addresses WHERE value = ${address})
  OR (${IS_CORE} AND t.type = ${MultiPayment} AND (t.block_height, t.sequence) IN (
    SELECT p.block_height, p.sequence FROM payments p WHERE p.recipient = (SELECT number FROM addresses WHERE value = ${address})))
  OR (${IS_CORE} AND t.type = ${Vote} AND ${VERSION} = 1 AND ${senderOf(address)}))`;

const withText =
  (condition: (text: string) => string): CoreField['is'] =>
  (wanted: Wanted, parameters: Parameters) =>
    condition(parameters.add(plainText(wanted), 'text'));

const FIELDS = {
  address: { is: withText((address) => `(${senderOf(address)} OR ${recipientOf(address)})`) },
  senderId: { is: withText(senderOf) },
  recipientId: {
    is: withText(recipientOf),
    sortKey: 'recipient.value',
    sortJoin: 'LEFT JOIN addresses recipient ON recipient.number = t.recipient',
  },
  id: bytesField('hex', 't.id'),
  version: numberField(VERSION),
  blockId: bytesField('block id', 't.block_height', {
    lookUp: (id) => `(SELECT height FROM blocks WHERE id = ${id})`,
    sortKey: asShown('block id', 'b.id'),
    sortJoin: 'JOIN blocks b ON b.height = t.block_height',
  }),
  // The list of claims and refunds is sorted by any column.
  blockHeight: numberField('t.block_height'),
  sequence: numberField('t.sequence'),
  timestamp: timeField('t.block_height'),
  nonce: numberField(NODE_NONCE),
  senderPublicKey: bytesField('hex', 't.sender', {
    lookUp: (key) => `(${keyNumber(key)})`,
    sortKey: 'sender.value',
    sortJoin: 'JOIN public_keys sender ON sender.number = t.sender',
  }),
  type: numberField('t.type'),
  typeGroup: numberField('t.type_group'),
  vendorField: {
    is: (wanted, parameters) =>
      `t.vendor_field LIKE ${parameters.add(Buffer.from(plainText(wanted)), 'bytea')}`,
    sortKey: 't.vendor_field',
  },
  amount: numberField('t.amount'),
  fee: numberField('t.fee'),
  asset: {
    is: (wanted, parameters) => {
      const conditions = assetCandidates(wanted as object).map(
        (one) => `(${NODE_ASSET}) @> ${parameters.add(JSON.stringify(one), 'jsonb')}`,
      );
      return `(${conditions.join(' OR ')})`;
    },
    sortKey: `(${NODE_ASSET})`,
  },
  /** The locks that it claims or refunds. */
  unlocks: {
    is: (wanted, parameters) =>
      `(${IS_CORE} AND t.type IN (${HtlcClaim}, ${HtlcRefund})
  AND t.asset ->> 'lockTransactionId' = ANY (${parameters.add(wanted, 'text[]')}))`,
  },
} satisfies Readonly<Record<string, CoreField>>;

/** The day that has the row of an offset. */
interface Day {
  readonly hasDetails: boolean;
  readonly totalCount: number;
  /** The rows before it. */
  readonly skipped: number;
  /** The height at which it begins to be walked; null for the first one. */
  readonly edge: number | null;
}

/** Transactions as nodes of 3.x list them. */
export class CoreTransactionsReader extends CoreListReader {
  protected readonly table = {
    from: 'transactions t',
    keys: ['t.block_height', 't.sequence'],
    newestFirst: 't.block_height DESC, t.sequence DESC',
    fields: FIELDS,
  };

  override isBounded(page: CoreListPage): boolean {
    if (Object.keys(page.criteria).join() === 'blockId' && page.criteria['blockId']!.length === 1)
      return true;
    return timeOrderOf(page) !== null && page.offset <= SHALLOW && (isOfTypes(page) || isOfFewParties(page));
  }

  protected walkOf(at: BlockRef, page: CoreListPage): Promise<Walk | null> | Walk | null {
    const order = timeOrderOf(page);
    if (!order) return null;
    if (isOfTypes(page)) return this.walkOfTypes(at, page, order);
    return walkOfParties(page, order, (criteria, parameters) =>
      conditionOf(this.table, criteria, parameters),
    );
  }

  /** A deep page begins with the day that has its first row; behind the middle, it is walked to from the end. */
  private async walkOfTypes(at: BlockRef, page: CoreListPage, order: TimeOrder): Promise<Walk | null> {
    const { offset, limit } = page;
    const day = await this.dayOf(at, page, order, offset);
    const { hasDetails, totalCount } = day;
    if (!hasDetails) return null;
    const rest = totalCount - offset;
    // Nothing is there, so nothing is read.
    if (rest <= 0) return { ...this.walkFrom(at, page, order, day), limit: 0, skipped: offset, totalCount };
    if (rest >= offset) return { ...this.walkFrom(at, page, order, day), totalCount };
    const listed = Math.min(limit, rest);
    const behind = rest - listed;
    const back = { time: OPPOSITE[order.time], sequence: OPPOSITE[order.sequence] };
    const last = await this.dayOf(at, page, back, behind);
    const { name, places, ...walk } = this.walkFrom(at, page, back, last);
    return {
      ...walk,
      name: name && `${name} back`,
      places: `SELECT t.* FROM (${places}) t ORDER BY t.block_height ${order.time}, t.sequence ${order.sequence}`,
      limit: listed,
      skipped: offset - (behind - last.skipped),
      totalCount,
    };
  }

  private async dayOf(at: BlockRef, page: CoreListPage, order: TimeOrder, offset: number): Promise<Day> {
    const name = nameOfTypes(page, order);
    const parameters = new Parameters(4);
    const { columns, joins } = dayOfOffset(conditionOf(this.table, page.criteria, parameters), order.time);
    const query = { name: name && `${name} day`, text: atHead(columns, joins) };
    return (await this.pageRows<Day>(at, page, query, offset, ...parameters.values))[0];
  }

  private walkFrom(at: BlockRef, page: CoreListPage, order: TimeOrder, { skipped, edge }: Day): Walk {
    const parameters = new Parameters(5);
    const name = nameOfTypes(page, order);
    const bound = edge ?? (order.time === 'asc' ? 0 : at.height + 1);
    const rare = rareTypeOf(page);
    if (rare) {
      const places = placesOfType(rare, order, bound, parameters);
      return { places, name: `${name} rare`, values: parameters.values, skipped };
    }
    const condition = conditionOf(this.table, page.criteria, parameters);
    const places = `SELECT t.block_height, t.sequence FROM transactions t
  WHERE ${condition} AND t.block_height ${order.time === 'asc' ? '>=' : '<'} ${parameters.add(bound, 'integer')}
  ORDER BY t.block_height ${order.time}, t.sequence ${order.sequence} ${PAGE}`;
    return { places, name, values: parameters.values, skipped };
  }

  /**
   * @param id 64 hexadecimal digits
   * @param assertListIndexes may refuse one of version 1, whose sender's earlier transactions are counted
   */
  async findTransaction(at: BlockRef, id: string, assertListIndexes?: () => void) {
    const rows = await this.rows<CoreStoredTransactionRow>(at, SELECT_TRANSACTION, READ.hex(id));
    return (await withNonces(this.pool, at, found(rows, 'id'), assertListIndexes))[0];
  }

  /** All of the block at a height, in the order of its payload. */
  async listOfBlock(at: BlockRef, height: number): Promise<CoreStoredTransactionRow[]> {
    return found(await this.rows<CoreStoredTransactionRow>(at, SELECT_OF_BLOCK, height), 'id');
  }

  /** A type without a group is one of Core's own. */
  async listTransactions(at: BlockRef, page: CoreListPage): Promise<CorePage<CoreTransactionRow>> {
    const { type, typeGroup = type && [CORE_TYPE_GROUP], ...others } = page.criteria;
    const criteria = { ...others, ...(type && { type }), ...(typeGroup && { typeGroup }) };
    const look = `${TRANSACTION_AT_PLACE} ${BLOCK}`;
    const found = await this.readPage<CoreStoredTransactionRow>(at, { ...page, criteria }, TRANSACTION, look);
    return { ...found, rows: await withNonces(this.poolFor(page), at, found.rows) };
  }
}
