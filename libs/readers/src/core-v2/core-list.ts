import type { BlockRef } from '@roundhouse/chain';
import pg from 'pg';
import { atHead, Reader, rowsAtHead, rowsOf, type Query, type ReaderPool } from '../at-head.js';
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

/** Pages up to this offset are cheap if an index has their order: one row is read for each that is skipped. */
export const SHALLOW = 1_000;

/** Up to so many rows are counted one by one. */
const MOST_COUNTED = 10_000;

/** The place of the first criterion's parameter in a statement; $1, $2: the head; $3: limit; $4: offset. */
const FIRST_PLACE = 5;

/** How indexes find a page: SQL of the keys of its rows, in its order, and the parameters from $5 on. */
export interface Walk {
  readonly places: string;
  readonly values: readonly unknown[];
  /** If the statement has few forms: its name, with which a session plans it once. */
  readonly name?: string;
  /** How many rows `places` may find. (Default: as many as the page has) */
  readonly limit?: number;
  /** The rows before those that `places` finds. (Default: none) */
  readonly skipped?: number;
  /** SQL of rows among which those of the list are, each once or more often: indexes count them. (Default: the criteria find them) */
  readonly counted?: readonly string[];
  /** How many rows the list has, if that is known. */
  readonly totalCount?: number;
}

export const PAGE = 'LIMIT $3::bigint OFFSET $4::bigint';

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

const asRefused = (error: unknown): never => {
  if (error instanceof pg.DatabaseError && DATA_EXCEPTION.test(error.code ?? ''))
    throw new RefusedByNodeError(`The value cannot be looked for: ${error.message}.`);
  throw error;
};

/** So many counts are kept, of lists with names up to this length. */
const KEPT = { most: 1_000, longestName: 500 };

/** Reads pages of lists. Every method throws as `rowsAtHead` does. */
export abstract class PageReader<Page> extends Reader {
  private countsAtHead = { id: '', of: new Map<string, CoreCount>() };

  /** @param lists for pages whose cost nothing bounds */
  constructor(
    pool: ReaderPool,
    private readonly lists: ReaderPool,
  ) {
    super(pool);
  }

  /**
   * Whether a page costs little whatever the tables hold, except for the number of delegates, a crowded block, and nonces of version 1,
   * for which an index counts all that a sender sent before.
   */
  isBounded(_: Page): boolean {
    return false;
  }

  protected poolFor(page: Page): ReaderPool {
    return this.isBounded(page) ? this.pool : this.lists;
  }

  /** Counts a list once for each head. `name`: what it depends on, besides the head. */
  protected async countOnce(at: BlockRef, name: string, count: () => Promise<CoreCount>) {
    if (this.countsAtHead.id !== at.id) this.countsAtHead = { id: at.id, of: new Map() };
    const { of } = this.countsAtHead;
    const counted = of.get(name) ?? (await count());
    if (of.size < KEPT.most && name.length <= KEPT.longestName) of.set(name, counted);
    return counted;
  }

  /** Throws `RefusedByNodeError` for values that PostgreSQL cannot look for. */
  protected pageRows<Row extends object>(at: BlockRef, page: Page, query: Query, ...values: unknown[]) {
    return rowsAtHead<Row>(this.poolFor(page), at, query, ...values).catch(asRefused);
  }
}

/** Reads pages of tables as nodes list them. */
export abstract class CoreListReader extends PageReader<CoreListPage> {
  protected abstract readonly table: CoreTable;

  /** How indexes find the page; null if it has to be sorted. */
  protected abstract walkOf(at: BlockRef, page: CoreListPage): Promise<Walk | null> | Walk | null;

  /** The rows that the criteria find, in any order. */
  private countable({ criteria }: CoreListPage): Walk {
    const parameters = new Parameters(FIRST_PLACE);
    const condition = conditionOf(this.table, criteria, parameters);
    return { places: `SELECT FROM ${this.table.from} WHERE ${condition} ${PAGE}`, values: parameters.values };
  }

  private sorted({ criteria, orderBy }: CoreListPage): Walk {
    const { from, keys, newestFirst, fields } = this.table;
    const parameters = new Parameters(FIRST_PLACE);
    const condition = conditionOf(this.table, criteria, parameters);
    const sorts = orderBy.map(({ property, direction }) => ({ ...fields[property]!, direction }));
    if (sorts.some(({ sortKey }) => sortKey === undefined))
      throw new RefusedByNodeError('A list cannot be sorted by this field.');
    const joins = [...new Set(sorts.map(({ sortJoin = '' }) => sortJoin))].join(' ');
    const order = [...sorts.map(({ sortKey, direction }) => `${sortKey} ${direction}`), newestFirst];
    const places = `SELECT ${keys.join(', ')} FROM ${from} ${joins} WHERE ${condition} ORDER BY ${order.join(', ')} ${PAGE}`;
    return { places, values: parameters.values };
  }

  /** The rows of a page. `look` joins tables to the keys of a row, `p`; `columns` are read from these tables. */
  protected async readPage<Row extends { readonly id: unknown }>(
    at: BlockRef,
    page: CoreListPage,
    columns: string,
    look: string,
  ): Promise<CorePage<Row>> {
    const { limit, offset } = page;
    const walk = (await this.walkOf(at, page)) ?? this.sorted(page);
    const { places, values, skipped = 0, totalCount } = walk;
    const text = atHead(
      'listed.*',
      `LEFT JOIN LATERAL (SELECT ${columns} FROM (SELECT p.*, row_number() OVER () AS place FROM (${places}) p) p ${look}
  ORDER BY p.place) listed ON true`,
    );
    const place = [walk.limit ?? limit, offset - skipped];
    const listed = await this.pageRows<Row>(at, page, { name: walk.name, text }, ...place, ...values);
    const rows = listed.filter(({ id }) => id !== null);
    const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
    if (totalCount !== undefined || isLast)
      return { rows, totalCount: totalCount ?? offset + rows.length, isEstimate: false };
    const name = JSON.stringify(page.criteria);
    return { rows, ...(await this.countOnce(at, name, () => this.count(at, page, walk))) };
  }

  /** How many rows the list has: exactly up to 10,000 of them, otherwise as PostgreSQL's planner expects, as nodes count. */
  private async count(at: BlockRef, page: CoreListPage, walk: Walk): Promise<CoreCount> {
    const { places, values, counted: parts = [] } = walk.counted ? walk : this.countable(page);
    const most = async (what: string, rows: readonly string[]): Promise<number> => {
      const counts = rows.map((one) => `(SELECT count(*)::integer FROM (${one}) counted)`);
      const name = walk.counted && walk.name && `${walk.name} ${what}`;
      const query = { name, text: atHead(`${counts.join(' + ')} AS "totalCount"`) };
      return (await this.pageRows<CoreCount>(at, page, query, MOST_COUNTED + 1, 0, ...values))[0].totalCount;
    };
    let counted = parts.length > 0 ? await most('parts', parts) : 0;
    // Some may be in several parts.
    if (parts.length !== 1 && counted <= MOST_COUNTED) counted = await most('count', [places]);
    if (counted <= MOST_COUNTED) return { totalCount: counted, isEstimate: false };
    return { totalCount: Math.max(counted, await this.estimate(page)), isEstimate: true };
  }

  /** Reads statistics only, at no particular head. */
  private async estimate(page: CoreListPage): Promise<number> {
    const parameters = new Parameters(1);
    const condition = conditionOf(this.table, page.criteria, parameters);
    const text = `EXPLAIN (FORMAT JSON) SELECT FROM ${this.table.from} WHERE ${condition}`;
    type Plan = { readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }] };
    const [row] = await rowsOf<Plan>(this.poolFor(page), { text }, parameters.values).catch(asRefused);
    return row!['QUERY PLAN'][0].Plan['Plan Rows'];
  }
}
