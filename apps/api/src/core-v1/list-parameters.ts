import {
  NodeRefusal,
  type BlocksQuery,
  type NodeValue,
  type TransactionsQuery,
} from '@roundhouse/dto/core-v1';
import {
  BLOCK_COLUMNS,
  NODE_ACCOUNT_SORTS,
  NODE_DELEGATE_SORTS,
  TRANSACTION_COLUMNS,
  type AccountOrder,
  type BlockOrder,
  type NodeBlocksPage,
  type NodeDelegateOrder,
  type NodeTransactionsPage,
  type TransactionOrder,
} from '@roundhouse/readers';

export const DEFAULT_LIMIT = 100;

/** A limit of zero means the default. */
export const pageOf = ({ limit, offset = 0 }: { readonly limit?: number; readonly offset?: number }) => ({
  limit: limit || DEFAULT_LIMIT,
  offset: Math.min(offset, Number.MAX_SAFE_INTEGER),
});

/** A value of PostgreSQL's type integer. */
const bounded = (value: number): number =>
  Math.max(-2_147_483_648, Math.min(2_147_483_647, Math.trunc(value) || 0));

/**
 * The page that a node takes of rows in memory. It does not check `offset` and `limit`; 0 and false count as absent.
 * Returns what `slice(from, to)` of JavaScript takes: negative numbers count from the end.
 */
export const sliceOf = (offset: NodeValue = 0, limit: NodeValue = 0) => ({
  from: bounded(Number(offset)),
  // JavaScript's own sum: text is appended, and mostly no number then.
  to: bounded(limit ? Number(((offset || 0) as number) + (limit as number)) : Infinity),
});

const databaseNameOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Each column has two names: the API's, which counts if both are given, and the database's. */
const conditionsOf = <Column extends string>(columns: readonly Column[], parameters: object) =>
  columns.flatMap((filter) => {
    const given = parameters as Readonly<Record<string, NodeValue | undefined>>;
    const value = given[filter] ?? given[databaseNameOf(filter)];
    return value === undefined ? [] : [{ filter, text: String(value) }];
  });

const DIRECTIONS = ['asc', 'desc'] as const;

/** `direction` is undefined if there is none, or another word. */
const partsOf = (orderBy: string) => {
  const [name = '', word, ...more] = orderBy.toLowerCase().split(':');
  return { name, direction: DIRECTIONS.find((known) => known === word), hasMore: more.length > 0 };
};

/** Null for a column that the node did not know: it then sorted by the position in the block alone. */
const transactionOrderOf = ({ orderBy }: TransactionsQuery): TransactionOrder => {
  if (orderBy === undefined) return { column: 'timestamp', direction: 'desc' };
  const { name, direction } = partsOf(orderBy);
  const column =
    name === 'recipient' ? 'recipientId' : TRANSACTION_COLUMNS.find((known) => known.toLowerCase() === name);
  if (column === undefined || column === 'senderId') return null;
  // The node failed.
  if (!direction) throw new NodeRefusal('should end with ":asc" or ":desc"', '.orderBy');
  return { column, direction };
};

/** Only the database's names sort. */
const blockOrderOf = ({ orderBy = '' }: BlocksQuery): BlockOrder => {
  const { name, direction, hasMore } = partsOf(orderBy);
  if (hasMore || !direction) return { column: 'height', direction: 'desc' };
  const column = BLOCK_COLUMNS.find((known) => databaseNameOf(known) === name);
  // Without an order, the node's database returned the oldest first.
  return column === undefined ? { column: 'height', direction: 'asc' } : { column, direction };
};

export const transactionsPageOf = (query: TransactionsQuery): NodeTransactionsPage => {
  // The sender's address replaces the sender's key.
  const replaced = query.senderId === undefined ? null : 'senderPublicKey';
  const columns = TRANSACTION_COLUMNS.filter((column) => column !== replaced);
  return { ...pageOf(query), order: transactionOrderOf(query), conditions: conditionsOf(columns, query) };
};

export const blocksPageOf = (query: BlocksQuery): NodeBlocksPage => ({
  ...pageOf(query),
  order: blockOrderOf(query),
  conditions: conditionsOf(BLOCK_COLUMNS, query),
});

/** An order by anything else leaves the accounts in the node's own order, which is arbitrary. */
export const accountOrderOf = (orderBy: NodeValue | undefined): AccountOrder => {
  // What JavaScript takes for false counts as absent; the node failed on other values that are no text.
  if (!orderBy) return { column: 'balance', direction: 'desc' };
  if (typeof orderBy !== 'string') throw new NodeRefusal('should be string', '.orderBy');
  const { name, direction } = partsOf(orderBy);
  if (name === '') throw new NodeRefusal('should begin with a column', '.orderBy');
  if (!direction) return { column: 'balance', direction: 'desc' };
  const column = NODE_ACCOUNT_SORTS.find((known) => known === name);
  return column === undefined ? { column: 'address', direction: 'asc' } : { column, direction };
};

/** Anything but a column and a direction counts as absent; an unknown column gives no order. */
export const delegateOrderOf = (orderBy = ''): NodeDelegateOrder => {
  const { name, direction, hasMore } = partsOf(orderBy);
  if (!direction || hasMore) return { column: 'rate', direction: 'asc' };
  if (name === '') throw new NodeRefusal('should name a column', '.orderBy');
  const column = name === 'rank' ? 'rate' : NODE_DELEGATE_SORTS.find((known) => known === name);
  return { column: column ?? 'none', direction };
};
