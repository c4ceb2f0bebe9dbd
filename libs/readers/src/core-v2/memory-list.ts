import type { BlockRef } from '@roundhouse/chain';
import { atHead, Reader, rowsAtHead, type ReaderPool } from '../at-head.js';
import { Parameters } from './core-fields.js';
import { asRefused, type CorePage, type CoreSort } from './core-list.js';
import { assertDetails, HAS_DETAILS } from './details.js';
import { criteriaSql, orderSql, type Criterion, type MemoryShape } from './memory-criteria.js';

/** The page of a list that a node has in memory. */
export interface MemoryPage {
  readonly criteria: Readonly<Record<string, Criterion>>;
  readonly orderBy: readonly CoreSort[];
  readonly limit: number;
  readonly offset: number;
}

export interface MemoryTable {
  readonly shape: MemoryShape;
  readonly from: string;
  /** SQL of the columns that identify a row, under their names. */
  readonly keys: string;
  /** The order of equal rows. */
  readonly inMemory: string;
  /** SQL of the columns of a row, one of which is `id`. */
  readonly columns: string;
  /** SQL that joins what the columns need to the keys `p`. */
  readonly look: string;
  /** Whether it shows attributes, which an index of an earlier version lacks. */
  readonly needsDetails?: boolean;
}

/** SQL that restricts the list besides, with parameters of its own. */
export interface Restriction {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The place of the first parameter of a restriction; $1, $2: the head; $3: limit; $4: offset; $5: seconds of the epoch. */
export const FIRST_OF_RESTRICTION = 6;

/** Reads pages of lists that nodes have in memory. The counts are exact. */
export abstract class MemoryListReader<Row extends { readonly id: unknown }> extends Reader {
  protected abstract readonly table: MemoryTable;
  /** How many rows the list had without criteria, at the last head that was asked for. */
  private whole: { readonly id: string; readonly count: number } | undefined;

  /** @param lists for pages whose cost nothing bounds */
  constructor(
    pool: ReaderPool,
    protected readonly lists: ReaderPool,
  ) {
    super(pool);
  }

  /** Whether a page costs little whatever the tables hold, but for the number of delegates. If not, it is read by the pool for lists. */
  isBounded(_: MemoryPage): boolean {
    return false;
  }

  private poolFor(page: MemoryPage): ReaderPool {
    return this.isBounded(page) ? this.pool : this.lists;
  }

  /** @param epoch of the chain, in seconds since 1970 */
  protected async readMemory(
    at: BlockRef,
    page: MemoryPage,
    epoch: number,
    restriction: Restriction = { sql: 'true', values: [] },
  ): Promise<CorePage<Row>> {
    const { shape, from, keys, inMemory, columns, look, needsDetails = false } = this.table;
    const parameters = new Parameters(FIRST_OF_RESTRICTION + restriction.values.length);
    const criteria = criteriaSql(shape, page.criteria, parameters);
    const found = [...restriction.values, ...parameters.values];
    const order = orderSql(shape, page.orderBy, parameters);
    const joinsOf = (...joins: readonly string[]): string => [...new Set(joins)].join(' ');
    const where = `WHERE ${restriction.sql} AND ${criteria.sql}`;
    const sorted = [...(order.sql === '' ? [] : [order.sql]), inMemory].join(', ');
    const text = atHead(
      `${HAS_DETAILS}, listed.*`,
      `LEFT JOIN LATERAL (SELECT ${columns} FROM (SELECT p.*, row_number() OVER () AS place FROM (
  SELECT ${keys} FROM ${from} ${joinsOf(...criteria.joins, ...order.joins)} ${where}
  ORDER BY ${sorted} LIMIT $3::bigint OFFSET $4::bigint) p) p ${look} ORDER BY p.place) listed ON $5::bigint IS NOT NULL`,
    );
    const { limit, offset } = page;
    const pool = this.poolFor(page);
    const values = [limit, offset, epoch, ...restriction.values, ...parameters.values];
    const listed = await rowsAtHead<Row>(pool, at, { text }, ...values).catch(asRefused);
    if (needsDetails) assertDetails(listed);
    const rows = listed.filter(({ id }) => id !== null);
    if (rows.length < limit && (rows.length > 0 || offset === 0))
      return { rows, totalCount: offset + rows.length, isEstimate: false };
    const isWhole = restriction.values.length === 0 && Object.keys(page.criteria).length === 0;
    if (isWhole && this.whole?.id === at.id) return { rows, totalCount: this.whole.count, isEstimate: false };
    const count = atHead(
      `(SELECT count(*)::integer FROM ${from} ${joinsOf(...criteria.joins)} ${where}) AS counted, $3::bigint, $4::bigint, $5::bigint`,
    );
    type Counted = { readonly counted: number };
    const [{ counted }] = await rowsAtHead<Counted>(
      pool,
      at,
      { text: count },
      limit,
      offset,
      epoch,
      ...found,
    ).catch(asRefused);
    if (isWhole) this.whole = { id: at.id, count: counted };
    return { rows, totalCount: counted, isEstimate: false };
  }
}
