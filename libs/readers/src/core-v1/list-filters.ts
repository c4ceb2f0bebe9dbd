import type { BlockRef } from '@roundhouse/chain';
import { bytesOf, columnFor, type Form, type Table } from '@roundhouse/entities/tables';
import { columnOf, isEqualIn, TEXT_OF } from '@roundhouse/entities/sql';
import { atHead, Reader, rowsAtHead, rowsOf, type ReaderPool } from '../at-head.js';
import type { SortDirection } from '../delegate-orders.js';

/** A parameter of a statement. Integers may be text, which PostgreSQL reads without loss of digits. */
type Parameter = Buffer | number | string | null;

/** The parameter from the text that a client sent; null if no row can have such a value. */
type Read = (text: string) => Parameter;

/** A column of a list: it can equal what a client sent, and sort the list. */
export interface ListColumn {
  /** SQL of the column. */
  readonly column: string;
  readonly read: Read;
  /** SQL that finds the column's value from the parameter. Absent if they are the same. */
  readonly lookUp?: (parameter: string) => string;
  /** SQL that compares the column with SQL of a value. (Default: by `=`) */
  readonly equals?: (value: string) => string;
  /** Whether an index finds the rows with a value, or with this one. */
  readonly isIndexed?: boolean | ((parameter: Parameter) => boolean);
  /** SQL that the list is sorted by. (Default: `column`) */
  readonly sortKey?: string;
  /** SQL that joins the tables which the sort key needs besides. */
  readonly sortJoin?: string;
}

export const sortKeyOf = ({ sortKey, column }: ListColumn): string => sortKey ?? column;

const wholeUpTo =
  (largest: bigint): Read =>
  (text) =>
    /^-?\d{1,19}$/.test(text) && BigInt(text) <= largest && BigInt(text) >= -largest ? text : null;

const HEX = /^([0-9a-f]{2})+$/;

const isBlockId = (text: string): boolean =>
  /^[0-9a-f]{64}$/.test(text) || (/^[1-9]\d{0,19}$/.test(text) && BigInt(text) < 2n ** 64n);

/** By the type or the form of a column. Nodes compared text: whatever they would write in another way matches nothing. */
export const READ = {
  integer: wholeUpTo(2n ** 31n - 1n),
  bigint: wholeUpTo(2n ** 63n - 1n),
  hex: (text) => (HEX.test(text) ? bytesOf('hex', text) : null),
  signature: (text) => (HEX.test(text) ? bytesOf('signature', text) : null),
  'block id': (text) => (isBlockId(text) ? bytesOf('block id', text) : null),
} satisfies Readonly<Record<string, Read>>;

/** SQL that sorts bytes as the text that a node shows. Hexadecimal digits have the order of their bytes. */
export const asShown = (form: Form, bytes: string): string =>
  form === 'hex' ? bytes : `(${TEXT_OF[form](bytes)}) COLLATE "C"`;

/** Columns under the names that nodes have for them, too. */
export const columnsOf = <Row extends object, Name extends keyof Row & string>(
  alias: string,
  table: Table<Row>,
  ...names: readonly Name[]
): Readonly<Record<Name, ListColumn>> =>
  Object.fromEntries(
    names.map((name) => {
      const { form, type, usual } = columnFor(table, name);
      const column = columnOf(alias, table, name);
      return [
        name,
        {
          column,
          read: READ[(form ?? type) as keyof typeof READ],
          ...(form && { sortKey: asShown(form, column) }),
          ...(usual !== undefined && { equals: isEqualIn(alias, table, name) }),
        },
      ];
    }),
  ) as Record<Name, ListColumn>;

/** SQL that finds the number of a public key. */
export const keyNumber = (key: string): string => `SELECT number FROM public_keys WHERE value = ${key}`;

export interface ListOrder<Name extends string> {
  readonly column: Name;
  readonly direction: SortDirection;
}

/** The page of a list that a client asks for. */
export interface ListPage<Name extends string, Order = ListOrder<Name>> {
  readonly limit: number;
  readonly offset: number;
  readonly order: Order;
  /** Columns, and the text that a client sent for each. */
  readonly conditions: readonly { readonly filter: Name; readonly text: string }[];
}

/** A column that is compared with a parameter. */
export interface Comparison extends ListColumn {
  readonly parameter: Parameter;
  /** SQL of the value that the column has to have. */
  readonly value: string;
  /** SQL of the comparison. */
  readonly where: string;
}

const compare = (column: ListColumn, parameter: Parameter, place: number): Comparison => {
  const value = column.lookUp ? `(${column.lookUp(`$${place}`)})` : `$${place}`;
  return { ...column, parameter, value, where: column.equals?.(value) ?? `${column.column} = ${value}` };
};

export const isFoundByIndex = ({ isIndexed = false, parameter }: Comparison): boolean =>
  typeof isIndexed === 'boolean' ? isIndexed : isIndexed(parameter);

/** What a page asks for. */
interface Search {
  readonly comparisons: readonly Comparison[];
  /** An index finds the page in its order, so it costs little whatever the table holds. */
  readonly isWalked: boolean;
}

/** How a table is listed by filters. */
interface FilteredTable<Name extends string> {
  /** The table and its alias. */
  readonly from: string;
  /** The columns that identify a row. */
  readonly key: string;
  /** The sort key whose order indexes have. */
  readonly walkedBy: string;
  /** Whether a row must meet all comparisons, or one of them. */
  readonly operator: 'AND' | 'OR';
  /** By the node's names. */
  readonly columns: Readonly<Record<Name, ListColumn>>;
}

/** Pages up to this offset are cheap if an index has their order: one row of the table is read for each that is skipped. */
const SHALLOW = 1_000;

/** Up to so many rows are counted one by one. */
const MOST_COUNTED = 10_000;

/** The place of the first comparison's parameter in a statement; $1, $2: the head; $3: limit; $4: offset. */
const FIRST_PLACE = 5;

/** Reads pages of a filtered table. Every method throws `HeadPassedError` and `DatabaseUnavailableError`. */
export abstract class FilteredListReader<
  Name extends string,
  Order extends ListOrder<Name> | null = ListOrder<Name>,
> extends Reader {
  protected abstract readonly table: FilteredTable<Name>;

  /** @param lists for pages whose cost nothing bounds */
  constructor(
    pool: ReaderPool,
    private readonly lists: ReaderPool,
  ) {
    super(pool);
  }

  /** Whether the page costs little whatever the table holds. If not, it is read by the pool for lists. */
  isBounded(page: ListPage<Name, Order>): boolean {
    return this.searchFor(page)?.isWalked ?? true;
  }

  /** Null if no row can be found. */
  protected searchFor({ conditions, offset, order }: ListPage<Name, Order>): Search | null {
    const { operator, columns, walkedBy } = this.table;
    const possible = conditions
      .map(({ filter, text }) => ({ column: columns[filter], parameter: columns[filter].read(text) }))
      .filter(({ parameter }) => parameter !== null);
    const fewest = operator === 'AND' ? conditions.length : Math.min(conditions.length, 1);
    if (possible.length < fewest) return null;
    const comparisons = possible.map((one, index) => compare(one.column, one.parameter, FIRST_PLACE + index));
    const isInOrder = order !== null && sortKeyOf(columns[order.column]) === walkedBy && offset <= SHALLOW;
    const isFound = operator === 'AND' ? comparisons.some(isFoundByIndex) : comparisons.every(isFoundByIndex);
    return { comparisons, isWalked: isInOrder && isFound };
  }

  /** The rows of `text`, whose parameters stand as `FIRST_PLACE` says. */
  protected readPage<Row extends object>(
    at: BlockRef,
    { limit, offset }: { readonly limit: number; readonly offset: number },
    search: Search,
    text: string,
  ): Promise<[Row, ...Row[]]> {
    const values = search.comparisons.map(({ parameter }) => parameter);
    return rowsAtHead<Row>(this.poolFor(search), at, { text }, limit, offset, ...values);
  }

  /**
   * How many rows a list has whose page has `listed`: exactly if this is the last page, or if indexes find no more than
   * 10,000 rows; otherwise as PostgreSQL's planner estimates, which is how nodes of 2.x counted.
   */
  protected async count(
    at: BlockRef,
    { limit, offset }: ListPage<Name, Order>,
    listed: number,
    search: Search,
  ): Promise<number> {
    const reached = offset + listed;
    if (listed < limit) return reached;
    const { comparisons } = search;
    const isCheap = comparisons.length > 0 && comparisons.every(isFoundByIndex);
    return Math.max(reached, await (isCheap ? this.countFound(at, search) : this.estimate(search)));
  }

  private async countFound(at: BlockRef, search: Search): Promise<number> {
    const { comparisons } = search;
    // UNION needs the keys, to drop what two of them find. Without keys the index alone is read.
    const key = comparisons.length > 1 ? this.table.key : '';
    const branches = comparisons.map(
      ({ where }) =>
        `(SELECT ${key} FROM ${this.table.from} WHERE ${where} LIMIT $3::bigint OFFSET $4::bigint)`,
    );
    // What the comparisons look up; all are integers.
    const lookedUp = comparisons.filter(({ lookUp }) => lookUp).map(({ value }) => value);
    const text = atHead(`(SELECT count(*)::integer FROM (${branches.join(' UNION ')}) found) AS count,
  ARRAY[${lookedUp.join(', ')}]::integer[] AS found`);
    type Counted = { readonly count: number; readonly found: readonly (number | null)[] };
    const most = { limit: MOST_COUNTED + 1, offset: 0 };
    const [{ count, found }] = await this.readPage<Counted>(at, most, search, text);
    if (count <= MOST_COUNTED) return count;
    // The planner knows how often the values occur that were looked up.
    const known = comparisons.map(({ lookUp, parameter, ...column }) => ({
      ...column,
      parameter: lookUp ? (found[lookedUp.indexOf(column.value)] ?? null) : parameter,
    }));
    return Math.max(count, await this.estimate({ ...search, comparisons: known }));
  }

  /** Reads statistics only, at no particular head. */
  private async estimate(search: Search): Promise<number> {
    const { from, operator } = this.table;
    const comparisons = search.comparisons.map((one, index) => compare(one, one.parameter, index + 1));
    const where = comparisons.map((one) => one.where).join(` ${operator} `) || 'true';
    const text = `EXPLAIN (FORMAT JSON) SELECT FROM ${from} WHERE ${where}`;
    type Plan = { readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }] };
    const values = comparisons.map(({ parameter }) => parameter);
    const [row] = await rowsOf<Plan>(this.poolFor(search), { text }, values);
    return row!['QUERY PLAN'][0].Plan['Plan Rows'];
  }

  private poolFor({ isWalked }: Search): ReaderPool {
    return isWalked ? this.pool : this.lists;
  }
}
