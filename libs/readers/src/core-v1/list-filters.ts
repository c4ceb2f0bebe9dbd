import type { BlockRef } from '@roundhouse/chain';
import { bytesOf, type Form } from '@roundhouse/entities/tables';
import { atHead, Reader, rowsAtHead, rowsOf, type ReaderPool } from '../at-head.js';
import type { SortDirection } from '../delegate-orders.js';

/** A parameter of a statement. */
type FilterValue = Buffer | number | string;

/** A column of a list: it can equal what a client sent, and sort the list. */
export interface ListColumn {
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
  /** SQL that the list is sorted by. (Default: `column`) */
  readonly sortKey?: string;
  /** SQL that joins the tables which the sort key needs besides. */
  readonly sortJoin?: string;
}

export const sortKeyOf = ({ sortKey, column }: ListColumn): string => sortKey ?? String(column);

/** A column, and the text that a client sent for it. */
export interface ListCondition<Name extends string> {
  readonly filter: Name;
  readonly text: string;
}

export interface ListOrder<Name extends string> {
  readonly column: Name;
  readonly direction: SortDirection;
}

/** The page of a list that a client asks for. */
export interface ListPage<Name extends string = string, Order = unknown> {
  readonly limit: number;
  readonly offset: number;
  readonly order: Order;
  readonly conditions: readonly ListCondition<Name>[];
}

/** A column with the parameter that it is compared with. */
export interface Comparison extends ListColumn {
  readonly value: FilterValue | null;
}

/** How a table is listed by filters. */
export interface FilteredTable<Name extends string = string> {
  /** The table and its alias. */
  readonly from: string;
  /** The columns that identify a row. */
  readonly key: string;
  /** Whether a row must meet all comparisons, or one of them. */
  readonly operator: 'AND' | 'OR';
  /** By the node's names. */
  readonly columns: Readonly<Record<Name, ListColumn>>;
}

/** Pages up to this offset are cheap if an index has their order: one row of the table is read for each that is skipped. */
const SHALLOW = 1_000;

/** What a page asks for. */
export interface Search {
  readonly table: FilteredTable;
  readonly comparisons: readonly Comparison[];
  /** No row can be found. */
  readonly isImpossible: boolean;
  /** An index finds the page in its order, so it costs little whatever the table holds. */
  readonly isWalked: boolean;
}

export const searchOf = <Name extends string>(
  table: FilteredTable<Name>,
  { conditions, offset }: ListPage<Name>,
  hasIndexOrder: boolean,
): Search => {
  const { operator, columns } = table;
  const all = conditions.map(({ filter, text }) => ({
    ...columns[filter],
    value: columns[filter].read(text),
  }));
  const possible = all.filter(({ value }) => value !== null);
  const isShallow = hasIndexOrder && offset <= SHALLOW;
  return operator === 'AND'
    ? {
        table,
        comparisons: all,
        isImpossible: possible.length < all.length,
        isWalked: isShallow && all.some(isFoundByIndex),
      }
    : {
        table,
        comparisons: possible,
        isImpossible: possible.length === 0 && all.length > 0,
        isWalked: isShallow && possible.every(isFoundByIndex),
      };
};

const compare = ({ column, besides }: ListColumn, value: string): string => {
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

export const isFoundByIndex = ({ isIndexed, value }: Comparison): boolean => isIndexed?.(value) ?? false;

export const always = (): boolean => true;

/** A column of numbers. A client sends a key or an address, and the column holds its number. An index finds it. */
export const byNumber = (
  column: string,
  read: ListColumn['read'],
  lookUp: (parameter: string) => string,
): ListColumn => ({ column, read, lookUp, isIndexed: always });

export const keyNumber = (key: string): string => `SELECT number FROM public_keys WHERE value = ${key}`;

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

/** Up to so many rows are counted one by one. */
const MOST_COUNTED = 10_000;

interface PlanRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

const parametersOf = (comparisons: readonly Comparison[]): Comparison['value'][] =>
  comparisons.map(({ value }) => value);

/** Reads statistics only, at no particular head. */
const estimate = async (
  pool: ReaderPool,
  { table: { from, operator }, comparisons }: Pick<Search, 'table' | 'comparisons'>,
): Promise<number> => {
  const where = comparisons.length === 0 ? '' : ` WHERE ${wheresOf(comparisons, 1).join(` ${operator} `)}`;
  const text = `EXPLAIN (FORMAT JSON) SELECT FROM ${from}${where}`;
  const [row] = await rowsOf<PlanRow>(pool, { text }, parametersOf(comparisons));
  return row!['QUERY PLAN'][0].Plan['Plan Rows'];
};

/** How many rows a list has: exactly if indexes find no more than 10,000 of them. */
const countFound = async (
  pool: ReaderPool,
  at: BlockRef,
  { table, comparisons }: Search,
): Promise<number> => {
  const isCheap = comparisons.length > 0 && comparisons.every(isFoundByIndex);
  if (!isCheap || (table.operator === 'AND' && comparisons.length > 1))
    return estimate(pool, { table, comparisons });
  // UNION needs the keys, to drop what two of them find. Without keys the index alone is read.
  const key = comparisons.length > 1 ? table.key : '';
  const branches = wheresOf(comparisons, 3).map(
    (where) => `(SELECT ${key} FROM ${table.from} WHERE ${where} LIMIT ${MOST_COUNTED + 1})`,
  );
  // What the comparisons look up; all are integers.
  const lookedUp = valuesOf(comparisons, 3).filter((_, index) => comparisons[index]!.lookUp);
  const text = atHead(`(SELECT count(*)::integer FROM (${branches.join(' UNION ')}) found) AS count,
  ARRAY[${lookedUp.join(', ')}]::integer[] AS found`);
  type Counted = { readonly count: number; readonly found: readonly (number | null)[] };
  const [row] = await rowsAtHead<Counted>(pool, at, { text }, ...parametersOf(comparisons));
  if (row.count <= MOST_COUNTED) return row.count;
  // The planner knows how often the values occur that were looked up.
  const found = row.found.values();
  const known = comparisons.map((comparison) =>
    comparison.lookUp ? { ...comparison, lookUp: undefined, value: found.next().value ?? null } : comparison,
  );
  return Math.max(row.count, await estimate(pool, { table, comparisons: known }));
};

/** Reads pages of a filtered table. Every method throws `HeadPassedError` and `DatabaseUnavailableError`. */
export abstract class FilteredListReader<Page extends ListPage> extends Reader {
  /** @param lists for pages whose cost nothing bounds */
  constructor(
    pool: ReaderPool,
    private readonly lists: ReaderPool,
  ) {
    super(pool);
  }

  protected abstract searchFor(page: Page): Search;

  /** Whether the page costs little whatever the table holds. If not, it is read by the pool for lists. */
  isBounded(page: Page): boolean {
    const { isImpossible, isWalked } = this.searchFor(page);
    return isImpossible || isWalked;
  }

  /** `text` is a statement whose $3 is the limit, $4 the offset; the values of the comparisons follow. */
  protected readPage<Row extends object>(
    at: BlockRef,
    { limit, offset }: Page,
    search: Search,
    text: string,
  ): Promise<[Row, ...Row[]]> {
    const values = [limit, offset, ...parametersOf(search.comparisons)];
    return rowsAtHead<Row>(this.poolFor(search), at, { text }, ...values);
  }

  /**
   * How many rows a list has whose page has `listed`: exactly if this is the last page, or if indexes find no more than
   * 10,000 rows; otherwise as PostgreSQL's planner estimates, which is how nodes of 2.x counted.
   */
  protected async count(at: BlockRef, page: Page, listed: number, search: Search): Promise<number> {
    const reached = page.offset + listed;
    if (listed < page.limit) return reached;
    return Math.max(reached, await countFound(this.poolFor(search), at, search));
  }

  private poolFor({ isWalked }: Search): ReaderPool {
    return isWalked ? this.pool : this.lists;
  }
}
