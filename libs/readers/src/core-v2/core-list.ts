import type { BlockRef } from '@roundhouse/chain';
import pg from 'pg';
import { atHead, Reader, rowsAtHead, rowsOf, type ReaderPool } from '../at-head.js';
import type { SortDirection } from '../delegate-orders.js';
import { RefusedByNodeError } from '../errors.js';
import { Parameters, type CoreField, type Wanted } from './core-fields.js';

export interface CoreSort {
  readonly property: string;
  readonly direction: SortDirection;
}

/** The page of a list that a client asks for. */
export interface CoreListPage {
  /** By field, the values of which a row has one. */
  readonly criteria: Readonly<Record<string, readonly Wanted[]>>;
  readonly orderBy: readonly CoreSort[];
  readonly limit: number;
  readonly offset: number;
}

/** How many rows a whole list has. */
export interface CoreCount {
  readonly totalCount: number;
  readonly isEstimate: boolean;
}

export interface CorePage<Row> extends CoreCount {
  readonly rows: readonly Row[];
}

/** A table that is listed by criteria. */
export interface CoreTable {
  readonly from: string;
  /** The columns that identify a row. */
  readonly keys: readonly string[];
  /** The order of equal rows, in which they lie in the primary key, newest first. */
  readonly newestFirst: string;
  readonly fields: Readonly<Record<string, CoreField>>;
}

/** Up to so many rows are counted one by one. */
const MOST_COUNTED = 10_000;

/** The place of the first criterion's parameter in a statement; $1, $2: the head; $3: limit; $4: offset. */
const FIRST_PLACE = 5;

const PAGE = 'LIMIT $3::bigint OFFSET $4::bigint';

/** SQL of all that the criteria say. */
export const conditionOf = (
  { fields }: Pick<CoreTable, 'fields'>,
  criteria: CoreListPage['criteria'],
  parameters: Parameters,
): string =>
  Object.entries(criteria)
    .map(([name, wanted]) => `(${wanted.map((one) => fields[name]!.is(one, parameters)).join(' OR ')})`)
    .join(' AND ') || 'true';

/** PostgreSQL's class of values that it cannot read. */
const DATA_EXCEPTION = /^22/;

export const asRefused = (error: unknown): never => {
  if (error instanceof pg.DatabaseError && DATA_EXCEPTION.test(error.code ?? ''))
    throw new RefusedByNodeError(`The value cannot be looked for: ${error.message}.`);
  throw error;
};

/** Reads pages of tables as nodes list them. Every method throws `HeadPassedError` and `DatabaseUnavailableError`. */
export abstract class CoreListReader extends Reader {
  protected abstract readonly table: CoreTable;

  /** @param lists for pages whose cost nothing bounds */
  constructor(
    pool: ReaderPool,
    protected readonly lists: ReaderPool,
  ) {
    super(pool);
  }

  /** SQL of the keys of a page, in its order, with the place of each. */
  private placesOf({ orderBy }: CoreListPage, condition: string): string {
    const { from, keys, newestFirst, fields } = this.table;
    const sorts = orderBy.map(({ property, direction }) => ({ ...fields[property]!, direction }));
    if (sorts.some(({ sortKey }) => sortKey === undefined))
      throw new RefusedByNodeError('A list cannot be sorted by this field.');
    const joins = [...new Set(sorts.map(({ sortJoin = '' }) => sortJoin))].join(' ');
    const order = [...sorts.map(({ sortKey, direction }) => `${sortKey} ${direction}`), newestFirst];
    return `SELECT p.*, row_number() OVER () AS place FROM (
  SELECT ${keys.join(', ')} FROM ${from} ${joins} WHERE ${condition} ORDER BY ${order.join(', ')} ${PAGE}) p`;
  }

  /** The rows of a page. `look` joins tables to the keys of a row, `p`; `columns` are read from these tables. */
  protected async readPage<Row extends { readonly id: unknown }>(
    at: BlockRef,
    page: CoreListPage,
    columns: string,
    look: string,
  ): Promise<CorePage<Row>> {
    const parameters = new Parameters(FIRST_PLACE);
    const condition = conditionOf(this.table, page.criteria, parameters);
    const text = atHead(
      `listed.*, (SELECT count(*)::integer FROM (SELECT FROM ${this.table.from} WHERE ${condition} LIMIT ${MOST_COUNTED + 1}) counted) AS counted`,
      `LEFT JOIN LATERAL (SELECT ${columns} FROM (${this.placesOf(page, condition)}) p ${look} ORDER BY p.place) listed ON true`,
    );
    const values = [page.limit, page.offset, ...parameters.values];
    type Counted = Row & { readonly counted: number };
    const rows = await rowsAtHead<Counted>(this.lists, at, { text }, ...values).catch(asRefused);
    const { counted } = rows[0];
    const found = rows.filter(({ id }) => id !== null);
    if (counted <= MOST_COUNTED) return { rows: found, totalCount: counted, isEstimate: false };
    const estimate = Math.max(counted, await this.estimate(page.criteria));
    return { rows: found, totalCount: estimate, isEstimate: true };
  }

  /** As PostgreSQL's planner expects: nodes count like this. */
  private async estimate(criteria: CoreListPage['criteria']): Promise<number> {
    const parameters = new Parameters(1);
    const condition = conditionOf(this.table, criteria, parameters);
    const text = `EXPLAIN (FORMAT JSON) SELECT FROM ${this.table.from} WHERE ${condition}`;
    type Plan = { readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }] };
    const [row] = await rowsOf<Plan>(this.lists, { text }, parameters.values);
    return row!['QUERY PLAN'][0].Plan['Plan Rows'];
  }
}
