import type { BlockRef } from '@roundhouse/chain';
import { atHead, Reader, rowsAtHead, type ReaderPool } from '../at-head.js';
import { Parameters } from './core-fields.js';
import { asRefused, SHALLOW, type CorePage, type CoreSort } from './core-list.js';
import { assertDetails, HAS_DETAILS } from './details.js';
import { criteriaSql, orderSql, type Criterion, type Made, type MemoryShape } from './memory-criteria.js';

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
  /** Its opposite, if an index has the usual order: then the last pages are found from the end. */
  readonly fromEnd?: string;
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

/** So many lists without criteria have their counts kept. */
const MOST_KEPT = 1_000;

const ALL_ROWS: Restriction = { sql: 'true', values: [] };

const joinsOf = (...made: readonly Made[]): string =>
  [...new Set(made.flatMap(({ joins }) => joins))].join(' ');

/** The place of the first parameter of a restriction; $1, $2: the head; $3: limit; $4: offset; $5: seconds of the epoch. */
export const FIRST_OF_RESTRICTION = 6;

/** Reads pages of lists that nodes have in memory. The counts are exact. */
export abstract class MemoryListReader<Row extends { readonly id: unknown }> extends Reader {
  protected abstract readonly table: MemoryTable;
  /** How many rows lists without criteria have at the head that was asked for last, by their restriction. */
  private counts = { id: '', of: new Map<string, number>() };

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
    restriction = ALL_ROWS,
  ): Promise<CorePage<Row>> {
    const { shape, from, keys, inMemory, fromEnd, columns, look, needsDetails = false } = this.table;
    const { limit, offset } = page;
    const isCounted = Object.keys(page.criteria).length === 0 && offset >= SHALLOW && fromEnd !== undefined;
    const count = isCounted ? await this.count(at, page, epoch, restriction) : 0;
    const isNearEnd = offset < count && offset > count / 2;
    const parameters = new Parameters(FIRST_OF_RESTRICTION + restriction.values.length);
    const criteria = criteriaSql(shape, page.criteria, parameters);
    const order = orderSql(shape, page.orderBy, parameters, isNearEnd);
    const sorted = [order.sql, (isNearEnd && fromEnd) || inMemory].filter((sql) => sql !== '').join(', ');
    const text = atHead(
      `${HAS_DETAILS}, listed.*`,
      `LEFT JOIN LATERAL (SELECT ${columns} FROM (SELECT p.*, row_number() OVER () AS place FROM (
  SELECT ${keys} FROM ${from} ${joinsOf(criteria, order)} WHERE ${restriction.sql} AND ${criteria.sql}
  ORDER BY ${sorted} LIMIT $3::bigint OFFSET $4::bigint) p) p ${look}
  ORDER BY p.place${isNearEnd ? ' DESC' : ''}) listed ON $5::bigint IS NOT NULL`,
    );
    const end = Math.min(offset + limit, count);
    const part = isNearEnd ? [end - offset, count - end] : [limit, offset];
    const values = [...part, epoch, ...restriction.values, ...parameters.values];
    const listed = await rowsAtHead<Row>(this.poolFor(page), at, { text }, ...values).catch(asRefused);
    if (needsDetails) assertDetails(listed);
    const rows = listed.filter(({ id }) => id !== null);
    const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
    const totalCount = isLast ? offset + rows.length : await this.count(at, page, epoch, restriction);
    return { rows, totalCount, isEstimate: false };
  }

  /** How many rows the list has. Without criteria they are counted once for each head. */
  private async count(
    at: BlockRef,
    page: MemoryPage,
    epoch: number,
    { sql, values }: Restriction,
  ): Promise<number> {
    const key = Object.keys(page.criteria).length === 0 ? JSON.stringify(values) : null;
    const known = this.counts.id === at.id && key !== null ? this.counts.of.get(key) : undefined;
    if (known !== undefined) return known;
    const { shape, from } = this.table;
    const parameters = new Parameters(FIRST_OF_RESTRICTION + values.length);
    const criteria = criteriaSql(shape, page.criteria, parameters);
    const text = atHead(
      `(SELECT count(*)::integer FROM ${from} ${joinsOf(criteria)} WHERE ${sql} AND ${criteria.sql}) AS counted, $3::bigint, $4::bigint, $5::bigint`,
    );
    const places = [page.limit, page.offset, epoch, ...values, ...parameters.values];
    type Counted = { readonly counted: number };
    const [{ counted }] = await rowsAtHead<Counted>(this.poolFor(page), at, { text }, ...places).catch(
      asRefused,
    );
    if (this.counts.id !== at.id) this.counts = { id: at.id, of: new Map() };
    if (key !== null && this.counts.of.size < MOST_KEPT) this.counts.of.set(key, counted);
    return counted;
  }
}
