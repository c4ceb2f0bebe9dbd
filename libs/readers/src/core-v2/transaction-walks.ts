import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import { transactions } from '@roundhouse/entities/tables';
import { columnOf } from '@roundhouse/entities/sql';
import { READ } from '../core-v1/list-filters.js';
import type { SortDirection } from '../delegate-orders.js';
import { ABOVE_ALL_HEIGHTS } from '../history-accounts.reader.js';
import { Parameters, plainText } from './core-fields.js';
import { PAGE, type CoreListPage, type Walk } from './core-list.js';

// How indexes find pages of transactions by time. $3: limit; $4: offset; $5: whose they are; then what else is asked for.

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

/** Rows that an index finds for each party, and whose transactions `t` meet a condition. */
interface Part {
  /** SQL of as many of their places as a page needs. */
  readonly places: (condition: string, order: TimeOrder) => string;
  /** SQL of all of them. */
  readonly rows: (condition: string) => string;
}

const eachOf = (parties: string, rows: string): string =>
  `(${parties}) party (number) CROSS JOIN LATERAL (${rows}) walked`;

/** SQL that looks up the transaction `t` at the place `p`, row by row. */
export const TRANSACTION_AT_PLACE = `CROSS JOIN LATERAL (
    SELECT * FROM transactions one WHERE one.block_height = p.block_height AND one.sequence = p.sequence OFFSET 0) t`;

const fromOf = (row: 't' | 'p', condition: string): string => {
  if (row === 't') return 'transactions t';
  return condition === 'true' ? 'payments p' : `payments p ${TRANSACTION_AT_PLACE}`;
};

/** Whole rows are compared, so that only this index can find them. Its order is asked for also to count: the table has none. */
const part = (row: 't' | 'p', column: string, parties: string): Part => {
  const key = `(${row}.${column}, ${row}.block_height)`;
  const found = (condition: string): string =>
    `FROM ${fromOf(row, condition)} WHERE ${key} >= (party.number, 0) AND ${key} <= (party.number, ${ABOVE_ALL_HEIGHTS})
      AND ${row}.${column} IS NOT NULL AND ${condition} ORDER BY ${row}.${column}`;
  return {
    places: (condition, { time, sequence }) =>
      `SELECT walked.* FROM ${eachOf(
        parties,
        `SELECT ${row}.block_height, ${row}.sequence ${found(condition)} ${time},
      ${row}.block_height ${time}, ${row}.sequence ${sequence} LIMIT $3::bigint + $4::bigint`,
      )}`,
    rows: (condition) =>
      `SELECT FROM ${eachOf(parties, `SELECT ${found(condition)}, ${row}.block_height LIMIT $3::bigint`)}`,
  };
};

const SENDERS_BY_KEY = 'SELECT number FROM public_keys WHERE value = ANY ($5::bytea[])';
const SENDERS =
  'SELECT k.number FROM accounts a JOIN public_keys k ON k.value = a.public_key WHERE a.address = ANY ($5::text[])';
const RECIPIENTS = 'SELECT number FROM addresses WHERE value = ANY ($5::text[])';

/** Votes of version 1 have their senders as recipients. No index has them alone. */
const ownVotes = (condition: string): string =>
  eachOf(
    SENDERS,
    `SELECT t.block_height, t.sequence FROM transactions t
    WHERE t.type_group = ${CORE_TYPE_GROUP} AND t.type = ${TransactionType.Vote} AND t.sender = party.number
      AND ${columnOf('t', transactions, 'version')} = 1 AND ${condition}`,
  );

const SENT = part('t', 'sender', SENDERS);
const RECEIVED = [part('t', 'recipient', RECIPIENTS), part('p', 'recipient', RECIPIENTS)];

interface Party {
  readonly read: (text: string) => unknown;
  readonly parts: readonly Part[];
  /** Whether a page costs little, whatever the table holds. */
  readonly isBounded: boolean;
}

const asText = (text: string): string => text;

/** By criterion. */
const PARTIES: Readonly<Record<string, Party>> = {
  senderPublicKey: { read: READ.hex, parts: [part('t', 'sender', SENDERS_BY_KEY)], isBounded: true },
  senderId: { read: asText, parts: [SENT], isBounded: true },
  recipientId: {
    read: asText,
    isBounded: false,
    parts: [
      ...RECEIVED,
      {
        places: (condition) => `SELECT walked.* FROM ${ownVotes(condition)}`,
        rows: (condition) => `SELECT FROM ${ownVotes(condition)}`,
      },
    ],
  },
  address: { read: asText, parts: [SENT, ...RECEIVED], isBounded: true },
};

/** The criterion of a page that names senders or recipients, and the others. An id finds fewer rows than it does. */
const partyOf = ({ criteria }: CoreListPage) => {
  const name = Object.keys(PARTIES).find((one) => Object.hasOwn(criteria, one));
  if (name === undefined || criteria['id'] || criteria['blockId']) return undefined;
  const { [name]: wanted = [], ...others } = criteria;
  return { ...PARTIES[name]!, name, wanted, others, isOnly: Object.keys(others).length === 0 };
};

/** Whether a page of some parties costs little while its offset is small. */
export const isOfFewParties = (page: CoreListPage): boolean => {
  const { isBounded = false, isOnly = false, wanted = [] } = partyOf(page) ?? {};
  return isBounded && isOnly && wanted.length <= FEW;
};

/**
 * Each index is walked no further than the page needs; UNION drops what two of them found.
 *
 * @param conditionOf SQL of the other criteria
 */
export const walkOfParties = (
  page: CoreListPage,
  order: TimeOrder,
  conditionOf: (criteria: CoreListPage['criteria'], parameters: Parameters) => string,
): Walk | null => {
  const party = partyOf(page);
  if (!party) return null;
  const { read, parts, name, wanted, others, isOnly } = party;
  const parameters = new Parameters(5);
  parameters.values.push(wanted.map((one) => read(plainText(one))).filter((one) => one !== null));
  const condition = conditionOf(others, parameters);
  const places = parts.map((one) => one.places(condition, order)).join('\n  UNION ');
  return {
    places: `SELECT t.block_height, t.sequence FROM (${places}) t
  ORDER BY t.block_height ${order.time}, t.sequence ${order.sequence} ${PAGE}`,
    values: parameters.values,
    ...(isOnly && { name: `core-transactions-of-${name}-${order.time}-${order.sequence}` }),
    counted: parts.map(({ rows }) => `${rows(condition)} ${PAGE}`),
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
