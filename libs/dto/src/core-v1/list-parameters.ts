import type { BLOCKS_RULES, TRANSACTIONS_RULES } from './list-rules.js';
import type { NodeParameters, NodeValue } from './parameters.js';
import { refuseParameter } from './refusal.js';

type Direction = 'asc' | 'desc';

export interface NodeOrder<Column extends string> {
  readonly column: Column;
  readonly direction: Direction;
}

/** A column that a list is filtered by, and the text that its values are compared with. */
export interface NodeCondition<Column extends string> {
  readonly filter: Column;
  readonly text: string;
}

export const DEFAULT_LIMIT = 100;

/** Zero means the default. */
export const pageOf = (parameters: {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}) => ({
  limit: parameters.limit || DEFAULT_LIMIT,
  offset: parameters.offset ?? 0,
});

/** Each column has two names: the API's, which counts if both are given, and the database's. */
const conditionsOf = <Column extends string>(
  columns: Readonly<Record<Column, string>>,
  parameters: Readonly<Record<string, NodeValue | undefined>>,
): NodeCondition<Column>[] =>
  Object.entries<string>(columns).flatMap(([name, databaseName]) => {
    const value = parameters[name] ?? parameters[databaseName];
    return value === undefined ? [] : [{ filter: name as Column, text: String(value) }];
  });

const isDirection = (text: string | undefined): text is Direction => text === 'asc' || text === 'desc';

const partsOf = (orderBy: string): string[] => orderBy.split(':').map((part) => part.toLowerCase());

/** The API's names of the columns of transactions, with the database's. Unconfirmed ones have no list to filter. */
const TRANSACTION_COLUMNS = {
  id: 'id',
  version: 'version',
  blockId: 'block_id',
  sequence: 'sequence',
  timestamp: 'timestamp',
  senderPublicKey: 'sender_public_key',
  recipientId: 'recipient_id',
  type: 'type',
  vendorFieldHex: 'vendor_field_hex',
  amount: 'amount',
  fee: 'fee',
  serialized: 'serialized',
  asset: 'asset',
} as const;

export type TransactionColumn = keyof typeof TRANSACTION_COLUMNS;

type TransactionsParameters = NodeParameters<typeof TRANSACTIONS_RULES>;

/** The sender's address replaces the sender's key. */
export const transactionConditionsOf = (
  parameters: TransactionsParameters,
): NodeCondition<TransactionColumn | 'senderId'>[] => {
  const { senderId } = parameters;
  const conditions = conditionsOf(TRANSACTION_COLUMNS, parameters);
  if (senderId === undefined) return conditions;
  return [
    ...conditions.filter(({ filter }) => filter !== 'senderPublicKey'),
    { filter: 'senderId', text: senderId },
  ];
};

const TRANSACTION_ORDERS: ReadonlyMap<string, TransactionColumn> = new Map([
  ...(Object.keys(TRANSACTION_COLUMNS) as TransactionColumn[]).map(
    (name) => [name.toLowerCase(), name] as const,
  ),
  ['recipient', 'recipientId'],
]);

/** Null for a column that the node did not know: it then sorted by the position in the block alone. */
export const transactionOrderOf = ({
  orderBy,
}: TransactionsParameters): NodeOrder<TransactionColumn> | null => {
  if (orderBy === undefined) return { column: 'timestamp', direction: 'desc' };
  const [name = '', direction] = partsOf(orderBy);
  const column = TRANSACTION_ORDERS.get(name);
  if (column === undefined) return null;
  // The node failed.
  if (!isDirection(direction)) throw refuseParameter('.orderBy', 'should end with ":asc" or ":desc"');
  return { column, direction };
};

const BLOCK_COLUMNS = {
  id: 'id',
  version: 'version',
  timestamp: 'timestamp',
  previousBlock: 'previous_block',
  height: 'height',
  numberOfTransactions: 'number_of_transactions',
  totalAmount: 'total_amount',
  totalFee: 'total_fee',
  reward: 'reward',
  payloadLength: 'payload_length',
  payloadHash: 'payload_hash',
  generatorPublicKey: 'generator_public_key',
  blockSignature: 'block_signature',
} as const;

export type BlockColumn = keyof typeof BLOCK_COLUMNS;

type BlocksParameters = NodeParameters<typeof BLOCKS_RULES>;

export const blockConditionsOf = (parameters: BlocksParameters): NodeCondition<BlockColumn>[] =>
  conditionsOf(BLOCK_COLUMNS, parameters);

/** Only the database's names sort. */
const BLOCK_ORDERS: ReadonlyMap<string, BlockColumn> = new Map(
  Object.entries(BLOCK_COLUMNS).map(([name, databaseName]) => [databaseName, name as BlockColumn]),
);

export const blockOrderOf = ({ orderBy = '' }: BlocksParameters): NodeOrder<BlockColumn> => {
  const [name = '', direction, ...more] = partsOf(orderBy);
  if (more.length > 0 || !isDirection(direction)) return { column: 'height', direction: 'desc' };
  const column = BLOCK_ORDERS.get(name);
  // Without an order, the node's database returned the oldest first.
  return column === undefined ? { column: 'height', direction: 'asc' } : { column, direction };
};

const ACCOUNT_ORDERS = ['balance', 'address', 'username', 'vote', 'rate'] as const;

export type AccountColumn = (typeof ACCOUNT_ORDERS)[number];

/** An order by anything else leaves the accounts in the node's own order, which is arbitrary. */
export const accountOrderOf = (orderBy: NodeValue | undefined): NodeOrder<AccountColumn> => {
  // What JavaScript takes for false counts as absent; the node failed on other values that are no text.
  if (!orderBy) return { column: 'balance', direction: 'desc' };
  if (typeof orderBy !== 'string') throw refuseParameter('.orderBy', 'should be string');
  const [name = '', direction] = partsOf(orderBy);
  if (name === '') throw refuseParameter('.orderBy', 'should begin with a column');
  if (!isDirection(direction)) return { column: 'balance', direction: 'desc' };
  const column = ACCOUNT_ORDERS.find((known) => known === name);
  return column === undefined ? { column: 'address', direction: 'asc' } : { column, direction };
};
