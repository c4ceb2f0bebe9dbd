import type { NodeLine } from './node-lines.js';
import { LISTS, type NodeQuery, type NodeResource } from './node-query.js';

export interface NodeForm {
  readonly line: NodeLine;
  /** Whether it counts lists exactly. A node does not. */
  readonly isExact: boolean;
}

/**
 * Counts are the database planner's estimates and too low: a client that trusts `next` or `pageCount` misses pages.
 */
const estimate = (total: number, onPage: number): number => Math.max(onPage, Math.floor(total / 3));

/** The link to a page, with its parameters in the order that the line itself writes. */
const linkOf = (line: NodeLine, isStored: boolean, { pathname, searchParams }: URL, page: number): string => {
  const given = new Map<string, string>();
  for (const name of searchParams.keys()) given.set(name, searchParams.getAll(name).join(','));
  if (line.hasSearches) {
    given.set('page', `${page}`);
    return `${line.root === 'versioned' ? '/api/v2' : ''}${pathname}?${new URLSearchParams([...given]).toString()}`;
  }
  const orderBy = given.get('orderBy');
  given.delete('orderBy');
  if (isStored && !given.has('transform')) given.set('transform', 'true');
  given.set('page', `${page}`);
  if (!given.has('limit')) given.set('limit', '100');
  if (orderBy !== undefined) given.set('orderBy', orderBy);
  return `${pathname}?${[...given].map((pair) => pair.join('=')).join('&')}`;
};

export interface PageOf {
  readonly url: URL;
  readonly query: NodeQuery;
  readonly total: number;
  /** The items of the page, as JSON. */
  readonly items: readonly string[];
}

/** A page of a list as the node's own text. */
export const pageOf = (
  { line, isExact }: NodeForm,
  resource: NodeResource,
  { url, query: { page, limit }, total, items }: PageOf,
): string => {
  const { isStored } = LISTS[resource];
  const totalCount = isExact || !isStored ? total : estimate(total, items.length);
  const pageCount = Math.max(1, Math.ceil(totalCount / limit));
  const link = (to: number): string => linkOf(line, isStored, url, to);
  const meta = {
    ...(line.tellsEstimates ? { totalCountIsEstimate: isStored } : {}),
    count: items.length,
    pageCount,
    totalCount,
    next: page < pageCount ? link(page + 1) : null,
    previous: page > 1 && (line.root === 'versioned' || page - 1 <= pageCount) ? link(page - 1) : null,
    self: link(page),
    first: link(1),
    last: link(pageCount),
  };
  return `{"meta":${JSON.stringify(meta)},"data":[${items.join(',')}]}`;
};

/** Where the page begins in its list. */
export const offsetOf = ({ offset, page, limit }: NodeQuery): number => offset ?? (page - 1) * limit;
