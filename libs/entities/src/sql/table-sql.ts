import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import { blocks, columnFor, transactions, type Column, type Form, type Table } from '../tables/index.js';

// Parts of statements, made from the descriptions of the tables. Use them in constants, so that no SQL is made for each
// batch.

export const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(', ');

/** SQL of bytes as hexadecimal text. */
export const hexText = (bytes: string): string => `encode(${bytes}, 'hex')`;

/** SQL of a block id as text. Eight bytes are a number without sign, which bigint cannot hold. */
export const blockIdText = (bytes: string): string =>
  `CASE octet_length(${bytes}) WHEN 8 THEN (('x' || ${hexText(bytes)})::bit(64)::bigint::numeric + CASE WHEN get_byte(${bytes}, 0) < 128 THEN 0 ELSE 18446744073709551616 END)::text ELSE ${hexText(bytes)} END`;

/** SQL of a stored signature as text: what `signatureOfStored` in `libs/entities` does. */
export const signatureText = (bytes: string): string => {
  const isLow = (place: number): string => `get_byte(${bytes}, ${place}) < 128`;
  const beforeR = `CASE WHEN ${isLow(0)} THEN CASE WHEN ${isLow(32)} THEN '30440220' ELSE '30450220' END
    WHEN ${isLow(32)} THEN '3045022100' ELSE '3046022100' END`;
  const beforeS = `CASE WHEN ${isLow(32)} THEN '0220' ELSE '022100' END`;
  const [r, s] = [hexText(`substr(${bytes}, 1, 32)`), hexText(`substr(${bytes}, 33)`)];
  return `CASE WHEN substr(${bytes}, 1, 1) = '\\x00' THEN ${hexText(`substr(${bytes}, 2)`)}
  WHEN octet_length(${bytes}) = 64 THEN ${beforeR} || ${r} || ${beforeS} || ${s} ELSE ${hexText(bytes)} END`;
};

/** SQL of a list of bytes as text. */
const hexTexts = (list: string): string =>
  `ARRAY(SELECT ${hexText('bytes')} FROM unnest(${list}) WITH ORDINALITY AS listed (bytes, place) ORDER BY place)`;

/** SQL of the public keys of a round's forgers, in their order, from the numbers of the delegates. */
export const forgerKeys = (forgingOrder: string): string =>
  `ARRAY(SELECT ${hexText('forger.public_key')} FROM unnest(${forgingOrder}) WITH ORDINALITY AS listed (number, place)
  LEFT JOIN delegates forger USING (number) ORDER BY place)`;

/**
 * SQL of the rounds with the forgers that forge them: those of the newest revision, or else those that the round began
 * with.
 */
export const FORGING_ROUNDS = `(
  SELECT begun.round, begun.first_height, coalesce(revised.forging_order, begun.forging_order) AS forging_order,
    CASE WHEN revised.round IS NULL THEN begun.weights ELSE revised.weights END AS weights,
    coalesce(revised.first_slot, begun.first_slot) AS first_slot,
    coalesce(revised.forgotten_claims, begun.forgotten_claims) AS forgotten_claims
  FROM rounds AS begun LEFT JOIN LATERAL (
    SELECT * FROM round_revisions WHERE round = begun.round ORDER BY height DESC LIMIT 1
  ) AS revised ON true
)`;

/** SQL of the columns of \`ForgerList\` without weights, under these names, of the rows that are called \`alias\`. */
export const forgerListOf = (alias: string): string =>
  `${forgerKeys(`${alias}.forging_order`)} AS "forgingOrder", ${alias}.first_slot AS "firstSlot",
  ${alias}.forgotten_claims AS "forgottenClaims"`;

/** SQL of bytes of a form as text. */
export const TEXT_OF: Readonly<Record<Form, (bytes: string) => string>> = {
  hex: hexText,
  'block id': blockIdText,
  signature: signatureText,
};

const literalOf = (value: bigint | number | string): string =>
  typeof value === 'string' ? `'\\x${value}'::bytea` : String(value);

/** SQL of a column's value. Null becomes the usual value. */
const storedIn = (column: string, { usual }: Column): string =>
  usual === undefined ? column : `coalesce(${column}, ${literalOf(usual)})`;

/** The same for a column of the rows that are called `alias`. */
export const columnOf = <Row extends object>(alias: string, table: Table<Row>, name: keyof Row): string => {
  const column = columnFor(table, name);
  return storedIn(`${alias}.${column.name}`, column);
};

/**
 * Returns SQL that compares a column that has a usual value. The planner knows how often a column has a value or null, but
 * nothing of `columnOf`.
 */
export const isEqualIn =
  <Row extends object>(alias: string, table: Table<Row>, name: keyof Row) =>
  (value: string): string => {
    const column = columnFor(table, name);
    const stored = `${alias}.${column.name}`;
    return `(${stored} = ${value} OR (${stored} IS NULL AND ${value} = ${literalOf(column.usual!)}))`;
  };

/** SQL of a column's value as rows hold it: bytes become text, depending on their form. */
const valueOf = (column: Column): string => {
  const { name, type, form, isNullable } = column;
  if (form === undefined) return storedIn(name, column);
  if (type !== 'bytea[]') return TEXT_OF[form](storedIn(name, column));
  return isNullable ? `CASE WHEN ${name} IS NOT NULL THEN ${hexTexts(name)} END` : hexTexts(name);
};

/** Each column as rows hold it, under its own name. */
export const valuesOf = (columns: readonly Column[]): string =>
  columns.map((column) => `${valueOf(column)} AS ${column.name}`).join(', ');

/** Each column as rows hold it, and more values, under the names of their properties, for `queryRows`. */
export const selectFrom = ({ name, columns }: Table, more: Readonly<Record<string, string>> = {}): string => {
  const values = [
    ...columns.map((column) => [column.property, valueOf(column)] as const),
    ...Object.entries(more),
  ];
  return `SELECT ${values.map(([property, value]) => `${value} AS "${property}"`).join(', ')} FROM ${name}`;
};

/** SQL of the public key with this number, as bytes. */
export const keyOfNumber = (number: string): string =>
  `(SELECT value FROM public_keys WHERE public_keys.number = ${number})`;

const keyText = (number: string): string => `coalesce(${hexText(keyOfNumber(number))}, '')`;

/**
 * SQL of the block at a height, for a LATERAL join. PostgreSQL reads and sorts the whole table of blocks if it misjudges how
 * many heights there are. OFFSET 0 makes it look up one block for each of them, whatever it expects.
 */
export const blockAt = (height: string): string => `(SELECT * FROM blocks WHERE height = ${height} OFFSET 0)`;

/** Blocks and transactions with their keys and addresses. If a key is missing, it is empty text, which no check accepts. */
export const SELECT_BLOCKS = selectFrom(blocks, { generatorPublicKey: keyText('generator') });
export const SELECT_TRANSACTIONS = selectFrom(transactions, {
  senderPublicKey: keyText('sender'),
  recipientId: '(SELECT value FROM addresses WHERE addresses.number = recipient)',
});

export const assignments = (columns: readonly Column[], source: string): string =>
  columns.map(({ name }) => `${name} = ${source}.${name}`).join(', ');

export const isSame = (columns: readonly Column[], one: string, other: string): string =>
  columns.map(({ name }) => `${one}.${name} = ${other}.${name}`).join(' AND ');

/**
 * SQL that turns the parameters from $1 on, one array per column, into rows called `changed`. `arraysOf` makes the
 * arrays.
 */
export const unnest = (columns: readonly Column[]): string =>
  `unnest(${columns.map(({ type }, place) => `$${place + 1}::${type}[]`).join(', ')}) AS changed (${namesOf(columns)})`;

/**
 * SQL: whether `claims`, which is `claim_drifts` or a copy of it, holds the claims of all blocks up to the row of
 * `head`. An earlier version left them out, which matters only if one of its blocks has a claim.
 */
export const knowsClaims = (claims = 'claim_drifts'): string => `(
  NOT EXISTS (SELECT FROM roundhouse.transactions AS claim
    WHERE claim.type_group = ${CORE_TYPE_GROUP} AND claim.type = ${TransactionType.HtlcClaim}
      AND claim.block_height > head.claims_height AND claim.block_height <= head.height)
  AND NOT EXISTS (SELECT FROM ${claims} AS drift WHERE drift.height > head.height)
)`;

/** SQL of the lowest height that undoing can make the head. Each block touches its generator's account, so no other before-images reach further down. */
export const LOWEST_HEAD = `greatest(coalesce((SELECT min(height) - 1 FROM undo_accounts), head.height), 1)`;

/** SQL of the height, of `head`, up to which nothing ever changes. Without history, `rebuild` may make more blocks undoable. */
export const LASTING_HEIGHT = `CASE WHEN has_history THEN ${LOWEST_HEAD} ELSE 0 END`;
