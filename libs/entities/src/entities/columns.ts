import { Column, PrimaryColumn, type ColumnOptions } from 'typeorm';
import { amountTransformer } from './amount.transformer.js';

/** Ids, keys, addresses and names: ordered by code point, whatever the database's locale. */
const CODE_POINT_ORDER = { type: 'text', collation: 'C' } as const;

export const TextColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ ...CODE_POINT_ORDER, name, ...options });

export const TextKey = (name: string, primaryKeyConstraintName: string): PropertyDecorator =>
  PrimaryColumn({ ...CODE_POINT_ORDER, name, primaryKeyConstraintName });

export const IntegerColumn = (name: string): PropertyDecorator => Column({ type: 'integer', name });

export const IntegerKey = (name: string, primaryKeyConstraintName?: string): PropertyDecorator =>
  PrimaryColumn({ type: 'integer', name, ...(primaryKeyConstraintName ? { primaryKeyConstraintName } : {}) });

/** Arktoshi. */
export const AmountColumn = (name: string, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'bigint', name, transformer: amountTransformer, ...options });

export const FlagColumn = (name: string): PropertyDecorator => Column({ type: 'boolean', name });

/** When a row was written, by the database's clock. */
export const ClockColumn = (name: string): PropertyDecorator =>
  Column({ type: 'timestamptz', name, default: () => 'now()' });

/** The key of a table that holds one row at most. */
export const SingleRowKey = (): PropertyDecorator =>
  PrimaryColumn({ type: 'smallint', name: 'id', default: 1 });
