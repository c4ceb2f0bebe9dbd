import type { BeforeImage } from '@roundhouse/chain';
import type { Form } from './forms.js';

/** The PostgreSQL types that the tables use. */
type ColumnType =
  | 'text'
  | 'integer'
  | 'integer[]'
  | 'smallint'
  | 'bigint'
  | 'bigint[]'
  | 'boolean'
  | 'timestamptz'
  | 'json'
  | 'jsonb'
  | 'bytea'
  | 'bytea[]'
  | 'text[]';

interface ColumnOptions {
  /** Part of the primary key. */
  readonly isKey?: boolean;
  /** The value never changes during the life of the row. */
  readonly isFixed?: boolean;
  /** The chain does not determine the value: it may differ between two indexes of one chain. */
  readonly isLocal?: boolean;
  /** A later migration added the column, so it is behind all others. */
  readonly isAdded?: boolean;
  /** Needed only if it is not the property's name in snake case. */
  readonly name?: string;
  /** A value, or SQL as text. */
  readonly default?: string | number;
  readonly comment?: string;
}

/** A column of a table. */
export interface Column extends ColumnOptions {
  /** The property of a row that holds the value. */
  readonly property: string;
  readonly name: string;
  readonly type: ColumnType;
  /** For bytes that rows hold as text. */
  readonly form?: Form;
  readonly isNullable?: boolean;
  /** What null means: a value that most rows have. Rows hold the value itself, never null. */
  readonly usual?: number | bigint | string;
  readonly collation?: 'C';
}

/** A column without its name, which is not known yet. */
type ColumnOf<Value> = Omit<Column, 'property' | 'name'> & {
  readonly name?: string;
  /** For the compiler: the type of the value in a row. */
  readonly holds?: (value: Value) => Value;
};

interface TableOptions<Property> {
  readonly comment?: string;
  readonly checks?: Readonly<Record<string, string>>;
  /** By name; names that begin with `ux` mean unique indexes. */
  readonly indexes?: Readonly<Record<string, { readonly on: readonly Property[]; readonly where?: string }>>;
  /** Names of indexes of expressions, which only the migrations describe. */
  readonly expressionIndexes?: readonly string[];
  /** By name: unique columns whose index holds hashes of the values. It is half as large and finds only equal values. */
  readonly hashedKeys?: Readonly<Record<string, Property>>;
}

/** A table whose rows are held as `Row`. */
export interface Table<Row extends object = object> extends TableOptions<string> {
  readonly name: string;
  readonly columns: readonly Column[];
  /** For the compiler. */
  readonly row?: Row;
}

const snakeCase = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** PostgreSQL places a value at a multiple of its type's alignment, in bytes. All other types have no fixed size. */
const ALIGNMENTS: Partial<Record<ColumnType, number>> = {
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

/** For tables of the ledger's rows, the compiler compares the columns with `Row`. */
export const table = <Row extends object>(
  name: string,
  columns: { readonly [Property in keyof Row]-?: ColumnOf<Row[Property]> },
  options: TableOptions<keyof Row & string> = {},
): Table<Row> => ({
  name,
  columns: inStorageOrder(
    Object.entries(columns as Readonly<Record<string, ColumnOf<never>>>).map(
      ([property, { holds: _, ...column }]) => ({ property, name: snakeCase(property), ...column }),
    ),
  ),
  ...options,
});

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

/** A table of before-images. */
export interface UndoTable<Row extends object = object> extends Table<BeforeImage<Row>> {
  /** The table that the before-images belong to. */
  readonly of: Table<Row>;
}

const height: Column = { property: 'height', name: 'height', type: 'integer', isKey: true };
const existed: Column = { property: 'existed', name: 'existed', type: 'boolean' };

/**
 * A before-image has the columns that change. If rows never change and are only inserted and deleted, it has all
 * columns.
 */
export const undoTable = <Row extends object>(of: Table<Row>, comment?: string): UndoTable<Row> => {
  const changing = changingColumns(of);
  const restored = changing.length > 0 ? changing : of.columns.filter(({ isKey }) => !isKey);
  const columns = [height, ...keyOf(of), existed, ...restored].map(({ comment: _, ...column }) => column);
  const name = `undo_${of.name}`;
  return { name, of, columns: inStorageOrder(columns), ...(comment === undefined ? {} : { comment }) };
};

const column =
  <Value>(type: ColumnType, always: Omit<Partial<Column>, 'property' | 'type'> = {}) =>
  (options: ColumnOptions = {}): ColumnOf<Value> => ({ type, ...always, ...options });

export const nullable = <Value>(of: ColumnOf<Value>): ColumnOf<Value | null> => {
  const { holds: _, ...rest } = of;
  return { ...rest, isNullable: true };
};

/** Most rows have the value `usual`. It is stored as null, which takes no space in a row. */
export const usually = <Value extends number | bigint | string>(
  usual: Value,
  of: ColumnOf<Value>,
): ColumnOf<Value> => ({ comment: `Null means ${usual}.`, ...of, usual, isNullable: true });

/** Addresses and names: ordered by code point in every locale. */
export const text = column<string>('text', { collation: 'C' });
/** Text that is never sorted. */
export const words = column<string>('text');
/** Keys, hashes and other bytes: lower-case hexadecimal text in rows. */
export const hex = column<string>('bytea', { form: 'hex' });
/** Lower-case hexadecimal text in rows; see `Form`. */
export const signature = column<string>('bytea', { form: 'signature' });
export const hexes = column<readonly string[]>('bytea[]', { form: 'hex' });
/** Decimal or hexadecimal text in rows; see `Form`. */
export const blockId = column<string>('bytea', { form: 'block id' });
export const texts = column<readonly string[]>('text[]');
export const integer = column<number>('integer');
export const integers = column<readonly number[]>('integer[]');
export const smallInteger = column<number>('smallint');
/** Arktoshi. */
export const amount = column<bigint>('bigint');
export const amounts = column<readonly bigint[]>('bigint[]');
export const flag = column<boolean>('boolean');
export const bytes = column<Buffer>('bytea');
export const json = column<unknown>('json');
export const jsonb = column<Record<string, unknown>>('jsonb');
/** When the row was written, by the database's clock. */
export const clock = column<Date>('timestamptz', { default: 'now()', isLocal: true });
/** The key of a table that holds at most one row. */
export const singleRowKey = column<number>('smallint', { isKey: true, default: 1, isLocal: true });
