import 'reflect-metadata';
import { Column as TypeormColumn, type ColumnOptions, type ValueTransformer } from 'typeorm';
import { valueOfHex } from './values-of-hex.js';
import { bytesOf, type Form } from './values.js';

// TypeORM's decorators of columns, with what they lack: names are in snake case, rows hold bytes and amounts as the ledger
// does, and the compiler refuses a property of another type than its column.

/** What a property holds for a column of a PostgreSQL type. */
interface Held {
  text: string;
  integer: number;
  smallint: number;
  bigint: bigint;
  /** A whole number without bound. */
  numeric: bigint;
  boolean: boolean;
  timestamptz: Date;
  json: unknown;
  jsonb: Record<string, unknown>;
  bytea: Buffer;
}

type Type = keyof Held;

/** What the descriptions add to TypeORM's options. */
export interface OwnOptions {
  /** For bytes that rows hold as text. */
  readonly form?: Form;
  /** Most rows have this value. It is stored as null, which takes no space in a row; rows hold the value itself. */
  readonly usual?: number | bigint | string;
}

interface Options extends OwnOptions, Pick<ColumnOptions, 'name' | 'collation' | 'default' | 'comment'> {
  readonly array?: boolean;
  readonly nullable?: boolean;
}

type One<T extends Type, O extends Options> = O extends { form: Form } ? string : Held[T];
type Value<T extends Type, O extends Options> =
  | (O extends { array: true } ? readonly One<T, O>[] : One<T, O>)
  | (O extends { nullable: true } ? null : never);

/** Accepts a property of exactly this type. */
type DecoratorOf<V> = <Row extends Record<Property, V>, Property extends string>(
  row: Row,
  property: Property & ([V] extends [Row[Property]] ? unknown : never),
) => void;

/** PostgreSQL's bigint and numeric arrive as text; the domain holds amounts as bigint. */
const AMOUNT: ValueTransformer = {
  from: (text: string | null): bigint | null => (text === null ? null : BigInt(text)),
  to: (value: bigint | null | undefined): string | null | undefined => value?.toString(),
};

const AMOUNTS: ValueTransformer = {
  from: (texts: readonly string[] | null): readonly bigint[] | null => texts?.map(BigInt) ?? null,
  to: (values: readonly bigint[] | null | undefined): readonly string[] | null | undefined =>
    values?.map(String) ?? (values as null | undefined),
};

/** PostgreSQL returns Buffers; rows hold text. */
const formed = (form: Form): ValueTransformer => {
  type Stored = Buffer | readonly Buffer[] | null | undefined;
  type Text = string | readonly string[] | null | undefined;
  const read = (bytes: Buffer): string => valueOfHex(form, bytes.toString('hex'));
  return {
    from: (stored: Stored): Text => (Buffer.isBuffer(stored) ? read(stored) : (stored?.map(read) ?? null)),
    to: (text: Text): Stored =>
      typeof text === 'string'
        ? bytesOf(form, text)
        : (text?.map((value) => bytesOf(form, value)) ?? (text as null)),
  };
};

/** Null stands for the usual value. */
const usually = (usual: NonNullable<OwnOptions['usual']>): ValueTransformer => ({
  from: (value: unknown): unknown => value ?? usual,
  to: (value: unknown): unknown => (value === usual ? null : value),
});

const snakeCase = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const decorator =
  (always: ColumnOptions) =>
  <T extends Type, const O extends Options = object>(
    type: T,
    options: O = {} as O,
  ): DecoratorOf<Value<T, O>> =>
  (row, property) => {
    const { form, usual, array = false }: Options = options;
    TypeormColumn({
      ...always,
      type,
      name: snakeCase(property),
      ...(usual === undefined ? {} : { nullable: true, comment: `Null means ${usual}.` }),
      ...options,
      // In the order in which they are applied to a value that is stored.
      transformer: [
        ...(usual === undefined ? [] : [usually(usual)]),
        ...(type === 'bigint' || type === 'numeric' ? [array ? AMOUNTS : AMOUNT] : []),
        ...(form === undefined ? [] : [formed(form)]),
      ],
    })(row, property);
  };

export const Column = decorator({});
export const PrimaryColumn = decorator({ primary: true });

/** What TypeORM has no word for. */
export interface Roles {
  /** The value never changes during the life of the row. */
  readonly isFixed?: boolean;
  /** The chain does not determine the value: it may differ between two indexes of one chain. */
  readonly isLocal?: boolean;
  /** A later migration added the column, so it is behind all others. */
  readonly isAdded?: boolean;
}

const ROLES = 'roundhouse:roles';

/** The roles of the column of a property. `row` is the prototype of an entity. */
export const rolesOf = (row: object, property: string): Roles =>
  (Reflect.getMetadata(ROLES, row, property) ?? {}) as Roles;

export const HasRoles =
  (roles: Roles) =>
  (row: object, property: string): void =>
    Reflect.defineMetadata(ROLES, { ...rolesOf(row, property), ...roles }, row, property);

export const Fixed = () => HasRoles({ isFixed: true });
export const Local = () => HasRoles({ isLocal: true });
export const Added = () => HasRoles({ isAdded: true });
