import { sha256As, type BlockRef } from '@roundhouse/chain';
import { atHead } from '../at-head.js';
import { Parameters } from './core-fields.js';
import { PageReader, SHALLOW, type CoreCount, type CorePage, type CoreSort } from './core-list.js';
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
  /** SQL of a condition that every row meets. (Default: none) */
  readonly where?: string;
  /** The same for the list of one, who is the parameter `OF_ONE`. */
  readonly whereOne?: string;
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

const joinsOf = (...made: readonly Made[]): string =>
  [...new Set(made.flatMap(({ joins }) => joins))].join(' ');

/** Whose list it is; $1, $2: the head; $3: limit; $4: offset; $5: seconds of the epoch. */
export const OF_ONE = '$6::text';

/** Reads pages of lists that nodes have in memory. The counts are exact. */
export abstract class MemoryListReader<Row extends { readonly id: unknown }> extends PageReader<MemoryPage> {
  protected abstract readonly table: MemoryTable;

  /**
   * @param epoch of the chain, in seconds since 1970
   * @param of whose list it is (Default: that of all)
   */
  async listPage(at: BlockRef, page: MemoryPage, epoch: number, of?: string): Promise<CorePage<Row>> {
    const { shape, from, keys, inMemory, fromEnd, columns, look, needsDetails = false } = this.table;
    const { limit, offset } = page;
    const isCounted = Object.keys(page.criteria).length === 0 && offset >= SHALLOW && fromEnd !== undefined;
    const count = isCounted ? (await this.count(at, page, epoch, of)).totalCount : 0;
    const isNearEnd = offset < count && offset > count / 2;
    const { where, parameters } = this.whereOf(of);
    const criteria = criteriaSql(shape, page.criteria, parameters);
    const order = orderSql(shape, page.orderBy, parameters, isNearEnd);
    const sorted = [order.sql, (isNearEnd && fromEnd) || inMemory].filter((sql) => sql !== '').join(', ');
    const text = atHead(
      `${HAS_DETAILS}, listed.*`,
      `LEFT JOIN LATERAL (SELECT ${columns} FROM (SELECT p.*, row_number() OVER () AS place FROM (
  SELECT ${keys} FROM ${from} ${joinsOf(criteria, order)} WHERE ${where} AND ${criteria.sql}
  ORDER BY ${sorted} LIMIT $3::bigint OFFSET $4::bigint) p) p ${look}
  ORDER BY p.place${isNearEnd ? ' DESC' : ''}) listed ON $5::bigint IS NOT NULL`,
    );
    // Without criteria, a statement has few forms: sessions plan each once.
    const isCommon = Object.keys(page.criteria).length === 0 && page.orderBy.length < 3;
    const query = { name: isCommon ? sha256As('base64url', text) : undefined, text };
    const end = Math.min(offset + limit, count);
    const part = isNearEnd ? [end - offset, count - end] : [limit, offset];
    const listed = await this.pageRows<Row>(at, page, query, ...part, epoch, ...parameters.values);
    if (needsDetails) assertDetails(listed);
    const rows = listed.filter(({ id }) => id !== null);
    if (rows.length < limit && (rows.length > 0 || offset === 0))
      return { rows, totalCount: offset + rows.length, isEstimate: false };
    return { rows, ...(await this.count(at, page, epoch, of)) };
  }

  private whereOf(of: string | undefined) {
    const { where = 'true', whereOne = where } = this.table;
    const parameters = new Parameters(6);
    if (of !== undefined) parameters.add(of, 'text');
    return { where: of === undefined ? where : whereOne, parameters };
  }

  private count(at: BlockRef, page: MemoryPage, epoch: number, of?: string): Promise<CoreCount> {
    return this.countOnce(at, JSON.stringify([page.criteria, of]), async () => {
      const { shape, from } = this.table;
      const { where, parameters } = this.whereOf(of);
      const criteria = criteriaSql(shape, page.criteria, parameters);
      const rows = `SELECT count(*)::integer FROM ${from} ${joinsOf(criteria)} WHERE ${where} AND ${criteria.sql}`;
      const text = atHead(`(${rows}) AS "totalCount", $3::bigint, $4::bigint, $5::bigint`);
      const [row] = await this.pageRows<CoreCount>(at, page, { text }, 0, 0, epoch, ...parameters.values);
      return { totalCount: row.totalCount, isEstimate: false };
    });
  }
}
