import type { NodeLine } from './node-lines.js';
import type { NodeQuery } from './node-query.js';

/**
 * Counts are the database planner's estimates and too low: a client that trusts `next` or `pageCount` misses pages.
 */
const estimate = (total: number, onPage: number): number => Math.max(onPage, Math.floor(total / 3));

/** The link to a page, with its parameters in the order that the line itself writes. */
const linkOf = (line: NodeLine, path: string, parameters: URLSearchParams, page: number): string => {
  const given = new Map<string, string>();
  for (const name of parameters.keys()) given.set(name, parameters.getAll(name).join(','));
  if (line.hasSearches) {
    given.set('page', `${page}`);
    return `${line.root === 'versioned' ? '/api/v2' : ''}${path}?${new URLSearchParams([...given]).toString()}`;
  }
  const orderBy = given.get('orderBy');
  given.delete('orderBy');
  if (!given.has('transform')) given.set('transform', 'true');
  given.set('page', `${page}`);
  if (!given.has('limit')) given.set('limit', '100');
  if (orderBy !== undefined) given.set('orderBy', orderBy);
  return `${path}?${[...given].map((pair) => pair.join('=')).join('&')}`;
};

/** The requested page of a list that is filtered and sorted, as the node's own text. */
export const pageOf = <T>(
  line: NodeLine,
  path: string,
  parameters: URLSearchParams,
  query: NodeQuery,
  list: readonly T[],
  textOf: (item: T) => string,
): string => {
  const { page, limit } = query;
  const from = query.offset ?? (page - 1) * limit;
  const items = list.slice(from, from + limit);
  const totalCount = estimate(list.length, items.length);
  const pageCount = Math.max(1, Math.ceil(totalCount / limit));
  const link = (to: number): string => linkOf(line, path, parameters, to);
  const meta = {
    ...(line.tellsEstimates ? { totalCountIsEstimate: true } : {}),
    count: items.length,
    pageCount,
    totalCount,
    next: page < pageCount ? link(page + 1) : null,
    previous: page > 1 && (line.root === 'versioned' || page - 1 <= pageCount) ? link(page - 1) : null,
    self: link(page),
    first: link(1),
    last: link(pageCount),
  };
  return `{"meta":${JSON.stringify(meta)},"data":[${items.map(textOf).join(',')}]}`;
};
