import {
  refuseParameter,
  type BLOCKS_RULES,
  type NodeParameters,
  type NodeValue,
  type TRANSACTIONS_RULES,
} from '@roundhouse/dto/core-v1';
import {
  BLOCK_COLUMNS,
  NODE_ACCOUNT_SORTS,
  NODE_DELEGATE_SORTS,
  TRANSACTION_COLUMNS,
  type AccountOrder,
  type BlockColumn,
  type BlockOrder,
  type ListCondition,
  type NodeDelegateOrder,
  type NodeDirection,
  type TransactionColumn,
  type TransactionOrder,
} from '@roundhouse/readers';

export const DEFAULT_LIMIT = 100;

/** Zero means the default. */
export const pageOf = (parameters: {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}) => ({
  limit: parameters.limit || DEFAULT_LIMIT,
  offset: parameters.offset ?? 0,
});

/** A value of PostgreSQL's type integer. */
const bounded = (value: number): number =>
  Math.trunc(Math.max(-2_147_483_648, Math.min(2_147_483_647, Number.isNaN(value) ? 0 : value)));

const isNumeric = (value: NodeValue): value is number | boolean =>
  typeof value === 'number' || typeof value === 'boolean';

/** What JavaScript's `offset + limit` is: text is appended, and mostly no number then. */
const sumOf = (offset: NodeValue, limit: NodeValue): number =>
  isNumeric(offset) && isNumeric(limit)
    ? Number(offset) + Number(limit)
    : Number(`${String(offset)}${String(limit)}`);

/**
 * The page that a node takes of rows in memory. It does not check `offset` and `limit`; 0 and false count as absent.
 * Returns what `slice(from, to)` of JavaScript takes: negative numbers count from the end.
 */
export const sliceOf = (offset: NodeValue = 0, limit: NodeValue = 0) => ({
  from: bounded(Number(offset)),
  to:
    limit === 0 || limit === false ? bounded(Infinity) : bounded(sumOf(offset === false ? 0 : offset, limit)),
});

const databaseNameOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Each column has two names: the API's, which counts if both are given, and the database's. */
const conditionsOf = <Column extends string>(
  columns: readonly Column[],
  parameters: Readonly<Record<string, NodeValue | undefined>>,
): ListCondition<Column>[] =>
  columns.flatMap((filter) => {
    const value = parameters[filter] ?? parameters[databaseNameOf(filter)];
    return value === undefined ? [] : [{ filter, text: String(value) }];
  });

type TransactionsParameters = NodeParameters<typeof TRANSACTIONS_RULES>;

/** The sender's address replaces the sender's key. */
export const transactionConditionsOf = (
  parameters: TransactionsParameters,
): ListCondition<TransactionColumn>[] => {
  const conditions = conditionsOf(TRANSACTION_COLUMNS, parameters);
  if (parameters.senderId === undefined) return conditions;
  return conditions.filter(({ filter }) => filter !== 'senderPublicKey');
};

export const blockConditionsOf = (
  parameters: NodeParameters<typeof BLOCKS_RULES>,
): ListCondition<BlockColumn>[] => conditionsOf(BLOCK_COLUMNS, parameters);

interface Parts {
  readonly name: string;
  /** Undefined if there is none, or another word. */
  readonly direction: NodeDirection | undefined;
  readonly hasMore: boolean;
}

const partsOf = (orderBy: string): Parts => {
  const [name = '', direction, ...more] = orderBy.toLowerCase().split(':');
  const isKnown = direction === 'asc' || direction === 'desc';
  return { name, direction: isKnown ? direction : undefined, hasMore: more.length > 0 };
};

/** Null for a column that the node did not know: it then sorted by the position in the block alone. */
export const transactionOrderOf = ({ orderBy }: TransactionsParameters): TransactionOrder | null => {
  if (orderBy === undefined) return { column: 'timestamp', direction: 'desc' };
  const { name, direction } = partsOf(orderBy);
  const column =
    name === 'recipient' ? 'recipientId' : TRANSACTION_COLUMNS.find((known) => known.toLowerCase() === name);
  if (column === undefined || column === 'senderId') return null;
  // The node failed.
  if (!direction) throw refuseParameter('.orderBy', 'should end with ":asc" or ":desc"');
  return { column, direction };
};

/** Only the database's names sort. */
export const blockOrderOf = ({ orderBy = '' }: NodeParameters<typeof BLOCKS_RULES>): BlockOrder => {
  const { name, direction, hasMore } = partsOf(orderBy);
  if (hasMore || !direction) return { column: 'height', direction: 'desc' };
  const column = BLOCK_COLUMNS.find((known) => databaseNameOf(known) === name);
  // Without an order, the node's database returned the oldest first.
  return column === undefined ? { column: 'height', direction: 'asc' } : { column, direction };
};

/** An order by anything else leaves the accounts in the node's own order, which is arbitrary. */
export const accountOrderOf = (orderBy: NodeValue | undefined): AccountOrder => {
  // What JavaScript takes for false counts as absent; the node failed on other values that are no text.
  if (!orderBy) return { column: 'balance', direction: 'desc' };
  if (typeof orderBy !== 'string') throw refuseParameter('.orderBy', 'should be string');
  const { name, direction } = partsOf(orderBy);
  if (name === '') throw refuseParameter('.orderBy', 'should begin with a column');
  if (!direction) return { column: 'balance', direction: 'desc' };
  const column = NODE_ACCOUNT_SORTS.find((known) => known === name);
  return column === undefined ? { column: 'address', direction: 'asc' } : { column, direction };
};

/** Anything but a column and a direction counts as absent; an unknown column gives no order. */
export const delegateOrderOf = (orderBy = ''): NodeDelegateOrder => {
  const { name, direction, hasMore } = partsOf(orderBy);
  if (!direction || hasMore) return { column: 'rate', direction: 'asc' };
  if (name === '') throw refuseParameter('.orderBy', 'should name a column');
  const column = name === 'rank' ? 'rate' : NODE_DELEGATE_SORTS.find((known) => known === name);
  return { column: column ?? 'none', direction };
};
