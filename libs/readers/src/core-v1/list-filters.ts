import { bytesOf, type Form } from '@roundhouse/entities/tables';

/** A parameter of a statement. */
export type FilterValue = Buffer | number | string;

/** A filter of a list: a column equals what a client sent. */
export interface Filter {
  /** SQL of the column, or a function: it takes SQL of a value and returns SQL that compares the column with it. */
  readonly column: string | ((value: string) => string);
  /** The parameter from the text that a client sent; null if no row can have such a value. */
  readonly read: (text: string) => FilterValue | null;
  /** SQL that finds the column's value from the parameter. Absent if they are the same. */
  readonly lookUp?: (parameter: string) => string;
  /** SQL that must hold besides. */
  readonly besides?: string;
  /** Whether an index finds the rows with a value. */
  readonly isIndexed?: (value: FilterValue | null) => boolean;
}

/** The name of a filter, and the text that a client sent for it. */
export interface Condition<Name extends string> {
  readonly filter: Name;
  readonly text: string;
}

/** A filter with its parameter. */
export interface Comparison extends Filter {
  readonly value: FilterValue | null;
}

/** The value is null if no row can have it. */
export const comparisonsOf = <Name extends string>(
  filters: Readonly<Record<Name, Filter>>,
  conditions: readonly Condition<Name>[],
): Comparison[] =>
  conditions.map(({ filter, text }) => ({ ...filters[filter], value: filters[filter].read(text) }));

const compare = ({ column, besides }: Filter, value: string): string => {
  const isEqual = typeof column === 'string' ? `${column} = ${value}` : column(value);
  return besides === undefined ? isEqual : `${besides} AND ${isEqual}`;
};

/** SQL of the value that each comparison's column has to have. The parameter of the first one is `$<first>`. */
export const valuesOf = (comparisons: readonly Comparison[], first: number): string[] =>
  comparisons.map(({ lookUp }, index) => {
    const parameter = `$${first + index}`;
    return lookUp === undefined ? parameter : `(${lookUp(parameter)})`;
  });

/** SQL of each comparison, with the same parameters. */
export const wheresOf = (comparisons: readonly Comparison[], first: number): string[] =>
  valuesOf(comparisons, first).map((value, index) => compare(comparisons[index]!, value));

/** SQL of the list of values that the comparisons look up. All of them are integers. */
export const lookUpsOf = (comparisons: readonly Comparison[], first: number): string => {
  const found = comparisons.flatMap(({ lookUp }, index) =>
    lookUp ? [`(${lookUp(`$${first + index}`)})`] : [],
  );
  return `ARRAY[${found.join(', ')}]::integer[]`;
};

/**
 * The comparisons with the values that were looked up, null if there is none: the planner knows how often these occur.
 */
export const withFound = (
  comparisons: readonly Comparison[],
  found: readonly (number | null)[],
): Comparison[] => {
  const next = found.values();
  return comparisons.map((comparison) =>
    comparison.lookUp ? { ...comparison, lookUp: undefined, value: next.next().value ?? null } : comparison,
  );
};

/** Pages up to this offset are cheap if an index has their order: one row of the table is read for each that is skipped. */
export const SHALLOW = 1_000;

export const isFoundByIndex = ({ isIndexed, value }: Comparison): boolean => isIndexed?.(value) ?? false;

export const always = (): boolean => true;

const LARGEST_INT4 = 2_147_483_647n;
const LARGEST_INT8 = 9_223_372_036_854_775_807n;

const wholeNumber = (text: string, largest: bigint): bigint | null => {
  if (!/^-?\d{1,19}$/.test(text)) return null;
  const value = BigInt(text);
  return value > largest || value < -largest ? null : value;
};

export const readInteger = (text: string): number | null => {
  const value = wholeNumber(text, LARGEST_INT4);
  return value === null ? null : Number(value);
};

/** As text, which PostgreSQL reads without loss of digits. */
export const readAmount = (text: string): string | null =>
  wholeNumber(text, LARGEST_INT8)?.toString() ?? null;

const readHexAs =
  (form: Form) =>
  (text: string): Buffer | null =>
    /^([0-9a-f]{2})+$/.test(text) ? bytesOf(form, text) : null;

/** Nodes compared text, so upper case matches nothing. */
export const readHex = readHexAs('hex');
export const readSignature = readHexAs('signature');

const TOO_LARGE_ID = 2n ** 64n;

/** Either form of block ids, exactly as nodes write them. */
export const readBlockId = (text: string): Buffer | null => {
  if (/^[0-9a-f]{64}$/.test(text)) return bytesOf('block id', text);
  return /^[1-9]\d{0,19}$/.test(text) && BigInt(text) < TOO_LARGE_ID ? bytesOf('block id', text) : null;
};

/** PostgreSQL refuses text with NUL, and no value has one. */
export const readText = (text: string): string | null => (text.includes('\0') ? null : text);

/** What PostgreSQL's jsonb cannot hold. */
const NOT_IN_JSONB = /\\u(0000|d[89ab])/;

/** As text that jsonb accepts. */
export const readJson = (text: string): string | null => {
  try {
    const json = JSON.stringify(JSON.parse(text));
    return NOT_IN_JSONB.test(json) ? null : json;
  } catch {
    return null;
  }
};
