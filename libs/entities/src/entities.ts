import {
  Check,
  Column as EntityColumn,
  Entity,
  Exclusion,
  Index,
  type ColumnType,
  type ValueTransformer,
} from 'typeorm';
import { bytesOf, valueOfHex, type Form } from './forms.js';
import type { Column, Table } from './table.js';
import {
  accounts,
  blocks,
  delegates,
  head,
  network,
  publicKeys,
  rounds,
  sourceStatus,
  TABLES,
  transactions,
} from './tables.js';

/** PostgreSQL's bigint arrives as text; the domain holds amounts as bigint. */
const amountTransformer: ValueTransformer = {
  from: (text: string | null): bigint | null => (text === null ? null : BigInt(text)),
  to: (value: bigint | null | undefined): string | null | undefined => value?.toString(),
};

/** PostgreSQL returns Buffers; rows hold text. */
const formTransformer = (form: Form): ValueTransformer => {
  type Stored = Buffer | readonly Buffer[] | null | undefined;
  type Held = string | readonly string[] | null | undefined;
  const read = (bytes: Buffer): string => valueOfHex(form, bytes.toString('hex'));
  return {
    from: (stored: Stored): Held => (Buffer.isBuffer(stored) ? read(stored) : (stored?.map(read) ?? null)),
    to: (held: Held): Stored =>
      typeof held === 'string'
        ? bytesOf(form, held)
        : (held?.map((value) => bytesOf(form, value)) ?? (held as null)),
  };
};

/** Null stands for the usual value. */
const usualTransformer = (usual: NonNullable<Column['usual']>): ValueTransformer => ({
  from: (value: unknown): unknown => value ?? usual,
  to: (value: unknown): unknown => (value === usual ? null : value),
});

/** In the order in which they are applied to a value that is stored. */
const transformersOf = ({ type, form, usual }: Column): ValueTransformer[] => [
  ...(usual === undefined ? [] : [usualTransformer(usual)]),
  ...(type === 'bigint' ? [amountTransformer] : []),
  ...(form === undefined ? [] : [formTransformer(form)]),
];

const made = new Map<Table, new () => object>();

/** The TypeORM entity of a table: a class with decorators, made from the table's description. */
const entityOf = <Row extends object>(table: Table<Row>): new () => Row => {
  const known = made.get(table);
  if (known) return known as new () => Row;
  const {
    name,
    comment,
    columns,
    indexes = {},
    expressionIndexes = [],
    hashedKeys = {},
    checks = {},
  } = table;
  const entity = { [name]: class {} }[name] as new () => Row;
  Entity(name, comment === undefined ? {} : { comment })(entity);
  for (const column of columns) {
    const { type, isKey, isNullable, collation, default: byDefault } = column;
    EntityColumn({
      name: column.name,
      type: type.replace('[]', '') as ColumnType,
      array: type.endsWith('[]'),
      primary: isKey === true,
      nullable: isNullable === true,
      transformer: transformersOf(column),
      ...(collation === undefined ? {} : { collation }),
      ...(byDefault === undefined
        ? {}
        : { default: typeof byDefault === 'string' ? () => byDefault : byDefault }),
      ...(column.comment === undefined ? {} : { comment: column.comment }),
    })(entity.prototype as object, column.property);
  }
  for (const [index, { on, where }] of Object.entries(indexes)) {
    Index(index, [...on], { unique: index.startsWith('ux'), ...(where === undefined ? {} : { where }) })(
      entity,
    );
  }
  for (const index of expressionIndexes) Index(index, { synchronize: false })(entity);
  for (const [key, on] of Object.entries(hashedKeys)) {
    Exclusion(key, `USING hash (${columns.find(({ property }) => property === on)!.name} WITH =)`)(entity);
  }
  for (const [check, expression] of Object.entries(checks)) Check(check, expression)(entity);
  made.set(table, entity);
  return entity;
};

export const AccountEntity = entityOf(accounts);
export const BlockEntity = entityOf(blocks);
export const DelegateEntity = entityOf(delegates);
export const HeadEntity = entityOf(head);
export const NetworkEntity = entityOf(network);
export const PublicKeyEntity = entityOf(publicKeys);
export const RoundEntity = entityOf(rounds);
export const SourceStatusEntity = entityOf(sourceStatus);
export const TransactionEntity = entityOf(transactions);

/** Every table of the index. */
export const entities = TABLES.map((table) => entityOf(table));
