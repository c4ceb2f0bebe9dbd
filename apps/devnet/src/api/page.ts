import type { Paging, Query } from './query.js';

export interface PageMeta {
  readonly totalCountIsEstimate: boolean;
  readonly count: number;
  readonly pageCount: number;
  readonly totalCount: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly self: string;
  readonly first: string;
  readonly last: string;
}

export interface Page<T> {
  readonly meta: PageMeta;
  readonly data: readonly T[];
}

export interface PageParts<T> {
  /** The path as it appears in links: without `/api`. */
  readonly path: string;
  readonly query: Query;
  readonly paging: Paging;
  readonly total: number;
  readonly rows: readonly T[];
  /** Core's totals are estimates of its database. Ours are exact but are marked as estimates too. */
  readonly isEstimate: boolean;
}

/** The request's parameters, then Core's defaults; `orderBy` always comes last. */
const linkTo = ({ path, query, paging, isEstimate }: PageParts<unknown>, page: number): string => {
  const defaults = { ...(isEstimate ? { transform: 'true' } : {}), page: '1', limit: String(paging.limit) };
  const parameters = new Map<string, unknown>([...Object.entries(query.raw), ...Object.entries(defaults)]);
  for (const [name, value] of Object.entries(query.raw)) parameters.set(name, value);
  parameters.set('page', page);
  const orderBy = parameters.get('orderBy');
  parameters.delete('orderBy');
  if (orderBy !== undefined) parameters.set('orderBy', orderBy);
  return `${path}?${[...parameters].map(([name, value]) => `${name}=${String(value)}`).join('&')}`;
};

/** A page of a list in the form of Core 3.x. */
export const pageOf = <T>(parts: PageParts<T>): Page<T> => {
  const { paging, total, rows, isEstimate } = parts;
  const pageCount = Math.max(Math.ceil(total / paging.limit), 1);
  const link = (page: number): string => linkTo(parts, page);
  return {
    meta: {
      totalCountIsEstimate: isEstimate,
      count: rows.length,
      pageCount,
      totalCount: total,
      next: paging.page < pageCount ? link(paging.page + 1) : null,
      previous: paging.page > 1 ? link(paging.page - 1) : null,
      self: link(paging.page),
      first: link(1),
      last: link(pageCount),
    },
    data: rows,
  };
};

/** The items of a page, from a list in memory. */
export const slicePage = <T>(rows: readonly T[], { offset, limit }: Paging): readonly T[] =>
  rows.slice(offset, offset + limit);
