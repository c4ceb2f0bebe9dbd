import type { BeforeImage } from '@roundhouse/chain';

/** PostgreSQL's types, as the tables use them. */
type ColumnType =
  | 'text'
  | 'integer'
  | 'smallint'
  | 'bigint'
  | 'boolean'
  | 'timestamptz'
  | 'json'
  | 'jsonb'
  | 'bytea'
  | 'text[]';

interface ColumnOptions {
  /** Part of the primary key. */
  readonly isKey?: boolean;
  /** The value never changes while the row is there. */
  readonly isFixed?: boolean;
  /** The chain does not determine the value: it may differ between two indexes of one chain. */
  readonly isLocal?: boolean;
  /** If it is not the property's name in snake case. */
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
  readonly isNullable?: boolean;
  readonly collation?: 'C';
}

/** A column that does not have its name yet. */
type ColumnOf<Value> = Omit<Column, 'property' | 'name'> & {
  readonly name?: string;
  /** For the compiler: what a row holds. */
  readonly holds?: (value: Value) => Value;
};

interface TableOptions<Property> {
  readonly comment?: string;
  readonly checks?: Readonly<Record<string, string>>;
  /** By name; those that begin with `ux` are unique. */
  readonly indexes?: Readonly<Record<string, { readonly on: readonly Property[]; readonly where?: string }>>;
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

/** The compiler compares the columns with `Row`, where a table holds rows of the ledger. */
export const table = <Row extends object>(
  name: string,
  columns: { readonly [Property in keyof Row]-?: ColumnOf<Row[Property]> },
  options: TableOptions<keyof Row & string> = {},
): Table<Row> => ({
  name,
  columns: Object.entries(columns as Readonly<Record<string, ColumnOf<never>>>).map(
    ([property, { holds: _, ...column }]) => ({ property, name: snakeCase(property), ...column }),
  ),
  ...options,
});

export const keyOf = ({ columns }: Table): Column[] => columns.filter(({ isKey }) => isKey);

/** The columns whose values change while a row is there. */
export const changingColumns = ({ columns }: Table): Column[] =>
  columns.filter(({ isKey, isFixed }) => !isKey && !isFixed);

/** The key, and what two indexes of one chain have in common. */
export const chainColumns = ({ columns }: Table): Column[] =>
  columns.filter(({ isKey, isLocal }) => isKey || !isLocal);

/** A table of before-images. */
export interface UndoTable<Row extends object = object> extends Table<BeforeImage<Row>> {
  /** The table whose rows these were. */
  readonly of: Table<Row>;
}

const height: Column = { property: 'height', name: 'height', type: 'integer', isKey: true };
const existed: Column = { property: 'existed', name: 'existed', type: 'boolean' };

/** A before-image has the columns that change; of rows that never change, which come and go, it has all. */
export const undoTable = <Row extends object>(of: Table<Row>, comment?: string): UndoTable<Row> => {
  const changing = changingColumns(of);
  const restored = changing.length > 0 ? changing : of.columns.filter(({ isKey }) => !isKey);
  const columns = [height, ...keyOf(of), existed, ...restored].map(({ comment: _, ...column }) => column);
  return { name: `undo_${of.name}`, of, columns, ...(comment === undefined ? {} : { comment }) };
};

const column =
  <Value>(type: ColumnType, always: Omit<Partial<Column>, 'property' | 'type'> = {}) =>
  (options: ColumnOptions = {}): ColumnOf<Value> => ({ type, ...always, ...options });

export const nullable = <Value>(of: ColumnOf<Value>): ColumnOf<Value | null> => {
  const { holds: _, ...rest } = of;
  return { ...rest, isNullable: true };
};

/** Ids, keys, addresses and names: ordered by code point in every locale. */
export const text = column<string>('text', { collation: 'C' });
/** Text that nothing is ordered by. */
export const words = column<string>('text');
/** Keys and hashes. */
export const texts = column<readonly string[]>('text[]');
export const integer = column<number>('integer');
/** Arktoshi. */
export const amount = column<bigint>('bigint');
export const flag = column<boolean>('boolean');
export const bytes = column<Buffer>('bytea');
export const json = column<unknown>('json');
export const jsonb = column<Record<string, unknown>>('jsonb');
/** When the row was written, by the database's clock. */
export const clock = column<Date>('timestamptz', { default: 'now()', isLocal: true });
/** The key of a table that holds at most one row. */
export const singleRowKey = column<number>('smallint', { isKey: true, default: 1, isLocal: true });
