import { getMetadataArgsStorage } from 'typeorm';
import type { ColumnMetadataArgs } from 'typeorm/metadata-args/ColumnMetadataArgs.js';
import { rolesOf, type OwnOptions, type Roles } from './decorators.js';

export type EntityClass<Row extends object = object> = new () => Row;

/** What the decorators say of a column, as plain data: threads receive it. */
export interface Column extends OwnOptions, Roles {
  /** The property of a row that holds the value. */
  readonly property: string;
  readonly name: string;
  /** In PostgreSQL. */
  readonly type: string;
  /** Part of the primary key. */
  readonly isKey: boolean;
  readonly isNullable: boolean;
}

/** A table whose rows are held as `Row`. */
export interface Table<Row extends object = object> {
  readonly name: string;
  readonly columns: readonly Column[];
  /** For the compiler. */
  readonly row?: Row;
}

/** PostgreSQL places a value at a multiple of its type's alignment, in bytes. All other types have no fixed size. */
const ALIGNMENTS: Readonly<Record<string, number>> = {
  bigint: 8,
  timestamptz: 8,
  integer: 4,
  smallint: 2,
  boolean: 1,
};

/** The order of the columns in the tables: the largest fixed size first, so that no row has gaps; then added ones. */
const inStorageOrder = (columns: readonly Column[]): Column[] =>
  columns.toSorted(
    (one, other) =>
      Number(one.isAdded ?? false) - Number(other.isAdded ?? false) ||
      (ALIGNMENTS[other.type] ?? 0) - (ALIGNMENTS[one.type] ?? 0),
  );

const columnOf = ({ target, propertyName: property, options }: ColumnMetadataArgs): Column => {
  const { name, type, array, primary, nullable, form, usual }: typeof options & OwnOptions = options;
  return {
    property,
    name: name!,
    type: `${type as string}${array ? '[]' : ''}`,
    ...(form === undefined ? {} : { form }),
    ...(usual === undefined ? {} : { usual }),
    isKey: primary === true,
    isNullable: nullable === true,
    ...rolesOf((target as EntityClass).prototype as object, property),
  };
};

/** Describes the table of an entity, from TypeORM's metadata. Call it once for each. */
export const tableOf = <Row extends object>(entity: EntityClass<Row>): Table<Row> => {
  const metadata = getMetadataArgsStorage();
  const { name } = metadata.filterTables(entity)[0]!;
  return { name: name!, columns: inStorageOrder(metadata.filterColumns(entity).map(columnOf)) };
};

/** The column that holds this property of a row. */
export const columnFor = <Row extends object>({ columns }: Table<Row>, name: keyof Row): Column =>
  columns.find(({ property }) => property === name)!;

export const keyOf = ({ columns }: Table): Column[] => columns.filter(({ isKey }) => isKey);

/** The columns whose values can change during the life of a row. */
export const changingColumns = ({ columns }: Table): Column[] =>
  columns.filter(({ isKey, isFixed }) => !isKey && !isFixed);

/** The key, and the columns in which two indexes of one chain agree. */
export const chainColumns = ({ columns }: Table): Column[] =>
  columns.filter(({ isKey, isLocal }) => isKey || !isLocal);
