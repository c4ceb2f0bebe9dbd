import {
  blocks,
  hexOfForm,
  transactions,
  type Column,
  type Form,
  type Table,
} from '@roundhouse/entities/tables';

// Parts of statements, made from the descriptions of the tables. Use them in constants, so that no SQL is made for each
// batch.

export const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(', ');

/** SQL of bytes as hexadecimal text. */
export const hexText = (bytes: string): string => `encode(${bytes}, 'hex')`;

/** SQL of a block id as text. Eight bytes are a number without sign, which bigint cannot hold. */
export const blockIdText = (bytes: string): string =>
  `CASE octet_length(${bytes}) WHEN 8 THEN (('x' || ${hexText(bytes)})::bit(64)::bigint::numeric + CASE WHEN get_byte(${bytes}, 0) < 128 THEN 0 ELSE 18446744073709551616 END)::text ELSE ${hexText(bytes)} END`;

/** SQL of a list of bytes as text. */
const hexTexts = (list: string): string =>
  `ARRAY(SELECT ${hexText('bytes')} FROM unnest(${list}) WITH ORDINALITY AS listed (bytes, place) ORDER BY place)`;

/** SQL of the public keys of a round's forgers, in their order, from the numbers of the delegates. */
export const forgerKeys = (forgingOrder: string): string =>
  `ARRAY(SELECT ${hexText('forger.public_key')} FROM unnest(${forgingOrder}) WITH ORDINALITY AS listed (number, place)
  LEFT JOIN delegates forger USING (number) ORDER BY place)`;

const TEXT_OF: Readonly<Record<Form, (bytes: string) => string>> = { hex: hexText, 'block id': blockIdText };

/** SQL of a column's value as rows hold it: bytes become text, depending on their form. */
const valueOf = ({ name, type, form, isNullable }: Column): string => {
  if (form === undefined) return name;
  if (type !== 'bytea[]') return TEXT_OF[form](name);
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

/** Converts text as rows hold it to PostgreSQL's text form of its bytes. */
export const byteaText = (form: Form, value: string): string => `\\x${hexOfForm(form, value)}`;

const arrayOf = <Row extends object>(rows: readonly Row[], { property, form }: Column): unknown[] => {
  const values = rows.map((row) => row[property as keyof Row]);
  if (form === undefined) return values;
  return (values as (string | null)[]).map((value) => (value === null ? null : byteaText(form, value)));
};

export const arraysOf = <Row extends object>(rows: readonly Row[], columns: readonly Column[]): unknown[][] =>
  columns.map((column) => arrayOf(rows, column));
