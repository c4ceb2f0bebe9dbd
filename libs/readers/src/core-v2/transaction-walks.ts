import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import { transactions } from '@roundhouse/entities/tables';
import { columnOf } from '@roundhouse/entities/sql';
import { READ } from '../core-v1/list-filters.js';
import type { SortDirection } from '../delegate-orders.js';
import { ABOVE_ALL_HEIGHTS } from '../history-accounts.reader.js';
import { plainText, type Parameters } from './core-fields.js';
import { PAGE, type CoreListPage, type Walk } from './core-list.js';

// How indexes find pages of transactions by time. Their parameters: $3: limit; $4: offset; $5: whose they are.

export interface TimeOrder {
  readonly time: SortDirection;
  /** Inside a block. */
  readonly sequence: SortDirection;
}

/** Null if a list is sorted by anything but time. */
export const timeOrderOf = ({ orderBy: [first, second, ...more] }: CoreListPage): TimeOrder | null => {
  if (first?.property !== 'timestamp' || more.length > 0) return null;
  if (second && second.property !== 'sequence') return null;
  return { time: first.direction, sequence: second?.direction ?? 'desc' };
};

/** The index is walked once for each party. */
const FEW = 10;

/** Rows that an index finds for each party. */
interface Part {
  /** SQL of as many of their places as a page needs. */
  readonly places: (order: TimeOrder) => string;
  /** SQL of all of them. */
  readonly rows: string;
}

const eachOf = (parties: string, rows: string): string =>
  `(${parties}) party (number) CROSS JOIN LATERAL (${rows}) walked`;

/** Whole rows are compared, so that only this index can find them. Its order is asked for also to count: the table has none. */
const part = (table: string, column: string, parties: string): Part => {
  const row = `(t.${column}, t.block_height)`;
  const found = `FROM ${table} t WHERE ${row} >= (party.number, 0) AND ${row} <= (party.number, ${ABOVE_ALL_HEIGHTS}) AND t.${column} IS NOT NULL`;
  return {
    places: ({ time, sequence }) =>
      `SELECT walked.* FROM ${eachOf(
        parties,
        `SELECT t.block_height, t.sequence ${found}
    ORDER BY t.${column} ${time}, t.block_height ${time}, t.sequence ${sequence} LIMIT $3::bigint + $4::bigint`,
      )}`,
    rows: `SELECT FROM ${eachOf(parties, `SELECT ${found} ORDER BY t.${column}, t.block_height LIMIT $3::bigint`)}`,
  };
};

const SENDERS_BY_KEY = 'SELECT number FROM public_keys WHERE value = ANY ($5::bytea[])';
const SENDERS =
  'SELECT k.number FROM accounts a JOIN public_keys k ON k.value = a.public_key WHERE a.address = ANY ($5::text[])';
const RECIPIENTS = 'SELECT number FROM addresses WHERE value = ANY ($5::text[])';

/** Votes of version 1 have their senders as recipients. No index has them alone. */
const OWN_VOTES = `${eachOf(
  SENDERS,
  `SELECT t.block_height, t.sequence FROM transactions t
    WHERE t.type_group = ${CORE_TYPE_GROUP} AND t.type = ${TransactionType.Vote} AND t.sender = party.number
      AND ${columnOf('t', transactions, 'version')} = 1`,
)}`;

const SENT = part('transactions', 'sender', SENDERS);
const RECEIVED = [part('transactions', 'recipient', RECIPIENTS), part('payments', 'recipient', RECIPIENTS)];

interface Party {
  readonly read: (text: string) => unknown;
  readonly parts: readonly Part[];
  /** Whether a page costs little, whatever the table holds. */
  readonly isBounded: boolean;
}

const asText = (text: string): string => text;

/** By criterion. */
const PARTIES: Readonly<Record<string, Party>> = {
  senderPublicKey: {
    ...{ read: READ.hex, parts: [part('transactions', 'sender', SENDERS_BY_KEY)], isBounded: true },
  },
  senderId: { read: asText, parts: [SENT], isBounded: true },
  recipientId: {
    ...{ read: asText, isBounded: false },
    parts: [
      ...RECEIVED,
      { places: () => `SELECT walked.* FROM ${OWN_VOTES}`, rows: `SELECT FROM ${OWN_VOTES}` },
    ],
  },
  address: { read: asText, parts: [SENT, ...RECEIVED], isBounded: true },
};

/** The only criterion of a page, if its values are those of senders or recipients. */
const partyOf = ({ criteria }: CoreListPage) => {
  const [[name, wanted] = ['', []], ...more] = Object.entries(criteria);
  const party = Object.hasOwn(PARTIES, name) ? PARTIES[name] : undefined;
  return party && more.length === 0 ? { ...party, name, wanted } : undefined;
};

/** Whether a page of some parties costs little while its offset is small. */
export const isOfFewParties = (page: CoreListPage): boolean => {
  const { isBounded = false, wanted = [] } = partyOf(page) ?? {};
  return isBounded && wanted.length <= FEW;
};

/** Each index is walked no further than the page needs; UNION drops what two of them found. */
export const walkOfParties = (page: CoreListPage, order: TimeOrder): Walk | null => {
  const party = partyOf(page);
  if (!party) return null;
  const { read, parts, name, wanted } = party;
  const values = wanted.map((one) => read(plainText(one))).filter((one) => one !== null);
  return {
    places: `SELECT t.block_height, t.sequence FROM (${parts.map(({ places }) => places(order)).join('\n  UNION ')}) t
  ORDER BY t.block_height ${order.time}, t.sequence ${order.sequence} ${PAGE}`,
    values: [values],
    name: `core-transactions-of-${name}-${order.time}-${order.sequence}`,
    counted: parts.map(({ rows }) => `${rows} ${PAGE}`),
  };
};

const TYPES = ['type', 'typeGroup'];

/** Names a statement whose text depends on nothing else; undefined if types have alternatives. */
export const nameOfTypes = ({ criteria }: CoreListPage, { time, sequence }: TimeOrder): string | undefined =>
  Object.values(criteria).every(({ length }) => length === 1)
    ? ['core-transactions', ...Object.keys(criteria).sort(), time, sequence].join('-')
    : undefined;

/** Whether a page asks for all transactions, or for those of some types. */
export const isOfTypes = ({ criteria }: CoreListPage): boolean =>
  Object.keys(criteria).every((name) => TYPES.includes(name));

interface OneType {
  readonly typeGroup: string;
  readonly type: string;
}

/** The only type that a page of types asks for, if the index of types has it: it lacks transfers, of which there are many. */
export const rareTypeOf = ({ criteria: { type = [], typeGroup = [] } }: CoreListPage): OneType | null => {
  if (type.length !== 1 || typeGroup.length !== 1) return null;
  const one = { type: plainText(type[0]!), typeGroup: plainText(typeGroup[0]!) };
  const isTransfer =
    Number(one.type) === TransactionType.Transfer && Number(one.typeGroup) === CORE_TYPE_GROUP;
  return isTransfer ? null : one;
};

/**
 * SQL of the places of a type, from `bound` up or below it. Whole rows are compared, so that only the index of types can
 * find them: to look for a type of few by time would read all transactions.
 */
export const placesOfType = (
  one: OneType,
  { time, sequence }: TimeOrder,
  bound: number,
  parameters: Parameters,
): string => {
  const [group, type] = [one.typeGroup, one.type].map((number) => parameters.add(number, 'bigint'));
  const columns = ['t.type_group', 't.type', 't.block_height'];
  const is = (comparison: string, height: string): string =>
    `(${columns.join(', ')}) ${comparison} (${group}, ${type}, ${height})`;
  const edge = parameters.add(bound, 'integer');
  const range =
    time === 'asc' ? [is('>=', edge), is('<=', String(ABOVE_ALL_HEIGHTS))] : [is('<', edge), is('>=', '0')];
  return `SELECT t.block_height, t.sequence FROM transactions t
  WHERE ${range.join(' AND ')} AND (t.type <> ${TransactionType.Transfer} OR t.type_group <> ${CORE_TYPE_GROUP})
  ORDER BY ${columns.map((column) => `${column} ${time}`).join(', ')}, t.sequence ${sequence} ${PAGE}`;
};

/**
 * SQL of a row that says how many transactions there are, and where the day of an offset begins. $1, $2: the head; $3: the
 * offset; then the parameters of the condition on types. `daily_fees` has the number of each type on each day.
 */
export const dayOfOffset = (condition: string, time: SortDirection): { columns: string; joins: string } => ({
  columns: 'h.has_details AS "hasDetails", days.*',
  joins: `CROSS JOIN LATERAL (
  SELECT coalesce(sum(count), 0)::integer AS "totalCount",
    coalesce(max(before) FILTER (WHERE before <= $3::bigint), 0)::integer AS skipped,
    ${time === 'asc' ? 'max' : 'min'}(edge) FILTER (WHERE before <= $3::bigint) AS edge
  FROM (
    SELECT count, sum(count) OVER walked - count AS before,
      ${time === 'asc' ? 'first_height' : 'lag(first_height) OVER walked'} AS edge
    FROM (SELECT day, sum(count) AS count, min(first_height) AS first_height FROM daily_fees t WHERE ${condition} GROUP BY day) day
    WINDOW walked AS (ORDER BY day ${time})
  ) day
) days`,
});
