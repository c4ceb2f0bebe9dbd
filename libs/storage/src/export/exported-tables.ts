import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import {
  blockIdText,
  columnOf,
  FORGING_ROUNDS,
  hexText,
  NODE_ASSET,
  NODE_BLOCKS,
} from '@roundhouse/entities/sql';
import { transactions } from '@roundhouse/entities/tables';

/** `time` is in ms since 1970, UTC. */
export type ExportedType = 'integer' | 'bigint' | 'text' | 'bytes' | 'time';

export interface ExportedColumn {
  readonly name: string;
  readonly type: ExportedType;
  readonly isNullable: boolean;
}

export interface ExportedTable {
  readonly name: string;
  readonly columns: readonly ExportedColumn[];
  /**
   * SQL of `ExportedRow`s, in an order that the blocks determine. Its values: for `BLOCK_TABLES` the first and the last height and
   * the chain's epoch in seconds since 1970; for `STATE_TABLES` the height of a certificate that the index has.
   */
  readonly select: string;
}

/** `list` has the columns as `name type`, or `name type?` if they may be null; `from` has rows with these columns. */
const table = (name: string, list: string, from: string): ExportedTable => {
  const columns = list.split(',').map((text) => {
    const [column, type] = text.trim().split(' ') as [string, string];
    return { name: column, type: type.replace('?', '') as ExportedType, isNullable: type.endsWith('?') };
  });
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  return { name, columns, select: `SELECT ${names} FROM ${from}` };
};

/** Rows of blocks with times. $1, $2: the first height and the last; $3: the epoch. */
const timed = (rows: string): string =>
  `(SELECT *, ("timestamp" + $3::bigint) * 1000 AS time FROM (${rows}) AS untimed) AS listed`;

// Numbers of types beyond a node's smallint are exported, too. Version 1 signs no nonce.
const TRANSACTIONS = `
SELECT t.block_height, t.sequence, ${hexText('t.id')} AS id, ${blockIdText('b.id')} AS block_id, b."timestamp",
  ${columnOf('t', transactions, 'version')} AS version, t.type_group, t.type, t.nonce, ${hexText('k.value')} AS sender_public_key,
  a.value AS recipient_id, t.amount, t.fee, t.vendor_field, (${NODE_ASSET})::text AS asset
FROM transactions t JOIN blocks b ON b.height = t.block_height JOIN public_keys k ON k.number = t.sender
  LEFT JOIN addresses a ON a.number = t.recipient`;

const PAYMENTS = `
SELECT t.block_height, t.sequence, listed.position::integer - 1 AS position, ${hexText('t.id')} AS transaction_id, b."timestamp",
  ${hexText('k.value')} AS sender_public_key, listed.payment ->> 0 AS recipient_id, (listed.payment ->> 1)::bigint AS amount
FROM transactions t CROSS JOIN LATERAL json_array_elements(t.asset -> 'payments') WITH ORDINALITY AS listed (payment, position)
  JOIN blocks b ON b.height = t.block_height JOIN public_keys k ON k.number = t.sender
WHERE t.type_group = ${CORE_TYPE_GROUP} AND t.type = ${TransactionType.MultiPayment}`;

/** A round's forgers are certain when its last block is, and so is the beginning of the next. */
const ROUNDS = `
SELECT r.round, r.first_height, b.height AS last_height, b."timestamp", forger.place::integer - 1 AS place,
  ${hexText('d.public_key')} AS public_key, d.username, forger.weight AS balance
FROM ${FORGING_ROUNDS} r JOIN rounds next ON next.round = r.round + 1 JOIN blocks b ON b.height = next.first_height - 1
  CROSS JOIN LATERAL unnest(r.forging_order, r.weights) WITH ORDINALITY AS forger (number, weight, place)
  JOIN delegates d ON d.number = forger.number
WHERE next.first_height BETWEEN $1 + 1 AND $2 + 1`;

// The leaves of a certificate's tree are the accounts, so all indexes that made it have the same rows.

const LEAVES = `(
  SELECT string_to_array(leaf, E'\\t') AS leaf FROM certificate_pages, unnest(leaves) AS leaf WHERE height = $1
) certified`;

const ADDRESS = `leaf[1] COLLATE "C" AS address`;

/** The accounts as they were after the block $1. Only a username may have tabs. */
const ACCOUNTS_AT = `
SELECT ${ADDRESS}, nullif(leaf[2], '') AS public_key, leaf[3]::bigint AS balance, leaf[4]::bigint AS locked, leaf[5]::bigint AS nonce,
  nullif(leaf[6], '') AS vote, nullif(array_to_string(leaf[7:], E'\\t'), '') AS username
FROM ${LEAVES}`;

/** Those who vote, and how much their votes weigh. */
const VOTES_AT = `
SELECT ${ADDRESS}, leaf[6] AS delegate_public_key, d.username AS delegate, leaf[3]::bigint + leaf[4]::bigint AS weight
FROM ${LEAVES} JOIN delegates d ON d.public_key = decode(leaf[6], 'hex') AND d.registered_height <= $1`;

/** What each partition has: blocks, and what they hold. A round is in the partition of its last block. */
export const BLOCK_TABLES: readonly ExportedTable[] = [
  table(
    'blocks',
    `height integer, id text, previous_block text, time time, timestamp integer, version integer, number_of_transactions integer,
    total_amount bigint, total_fee bigint, reward bigint, payload_length integer, payload_hash text, generator_public_key text`,
    `${timed(NODE_BLOCKS)} WHERE height BETWEEN $1 AND $2 ORDER BY height`,
  ),
  table(
    'transactions',
    `block_height integer, sequence integer, id text, block_id text, time time, timestamp integer, version integer,
    type_group integer, type integer, nonce bigint?, sender_public_key text, recipient_id text?, amount bigint, fee bigint,
    vendor_field bytes?, asset text?`,
    `${timed(TRANSACTIONS)} WHERE block_height BETWEEN $1 AND $2 ORDER BY block_height, sequence`,
  ),
  table(
    'payments',
    `block_height integer, sequence integer, position integer, transaction_id text, time time, sender_public_key text,
    recipient_id text, amount bigint`,
    `${timed(PAYMENTS)} WHERE block_height BETWEEN $1 AND $2 ORDER BY block_height, sequence, position`,
  ),
  table(
    'rounds',
    `round integer, first_height integer, last_height integer, time time, place integer, public_key text, username text, balance bigint`,
    `${timed(ROUNDS)} ORDER BY round, place`,
  ),
];

/** The state after the block of a certificate. */
export const STATE_TABLES: readonly ExportedTable[] = [
  table(
    'accounts',
    `address text, public_key text?, balance bigint, locked bigint, nonce bigint, vote text?, username text?`,
    `(${ACCOUNTS_AT}) AS listed ORDER BY address`,
  ),
  table(
    'votes',
    `address text, delegate_public_key text, delegate text, weight bigint`,
    `(${VOTES_AT}) AS listed ORDER BY address`,
  ),
];

/** A row's values, by the names of the columns. */
export type ExportedRow = Readonly<Record<string, string | number | bigint | Buffer | null>>;
