import { Check, Column, Entity, Index, type ColumnType, type ValueTransformer } from 'typeorm';
import type { Table } from './table.js';
import {
  accounts,
  blocks,
  delegates,
  head,
  network,
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

const made = new Map<Table, new () => object>();

/** The TypeORM entity of a table: a class with decorators, made from the table's description. */
const entityOf = <Row extends object>(table: Table<Row>): new () => Row => {
  const known = made.get(table);
  if (known) return known as new () => Row;
  const { name, comment, columns, indexes = {}, checks = {} } = table;
  const entity = { [name]: class {} }[name] as new () => Row;
  Entity(name, comment === undefined ? {} : { comment })(entity);
  for (const { property, type, isKey, isNullable, collation, default: byDefault, ...column } of columns) {
    Column({
      name: column.name,
      type: type.replace('[]', '') as ColumnType,
      array: type.endsWith('[]'),
      primary: isKey === true,
      nullable: isNullable === true,
      ...(type === 'bigint' ? { transformer: amountTransformer } : {}),
      ...(collation === undefined ? {} : { collation }),
      ...(byDefault === undefined
        ? {}
        : { default: typeof byDefault === 'string' ? () => byDefault : byDefault }),
      ...(column.comment === undefined ? {} : { comment: column.comment }),
    })(entity.prototype as object, property);
  }
  for (const [index, { on, where }] of Object.entries(indexes)) {
    Index(index, [...on], { unique: index.startsWith('ux'), ...(where === undefined ? {} : { where }) })(
      entity,
    );
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
export const RoundEntity = entityOf(rounds);
export const SourceStatusEntity = entityOf(sourceStatus);
export const TransactionEntity = entityOf(transactions);

/** Every table of the index. */
export const entities = TABLES.map((table) => entityOf(table));
