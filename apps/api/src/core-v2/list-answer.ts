import { epochOf } from '@roundhouse/chain';
import type { ListRequest } from '@roundhouse/dto/core-v2';
import type { CoreListPage, CorePage, MemoryListReader, MemoryPage } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-tracker.service.js';
import type { PlacesName } from '../limits/places.service.js';

/** The page of a list that has nothing. */
export const NO_ROWS: CorePage<never> = { rows: [], totalCount: 0, isEstimate: false };

/** A list with its `meta`: counts, and links to other pages. Source: core-api/src/plugins/pagination of Core 3.9.1. */
export const listAnswer = <Row>(
  { page, limit, links }: ListRequest,
  pathname: string,
  { rows, totalCount, isEstimate }: CorePage<Row>,
  look: (row: Row) => unknown,
) => {
  const pageCount = Math.ceil(totalCount / limit) || 1;
  const linkTo = (other: number): string =>
    `${pathname}?${links.map((link) => (link.startsWith('page=') ? `page=${other}` : link)).join('&')}`;
  return {
    meta: {
      totalCountIsEstimate: isEstimate,
      count: rows.length,
      pageCount,
      totalCount,
      next: totalCount > 0 && page < pageCount ? linkTo(page + 1) : null,
      previous: totalCount > 0 && page > 1 && page <= pageCount + 1 ? linkTo(page - 1) : null,
      self: linkTo(page),
      first: linkTo(1),
      last: linkTo(pageCount),
    },
    data: rows.map((row) => look(row)),
  };
};

/** Where a page is made: what costs little never waits for long lists. */
export const placesOf = <Page>(reader: { isBounded(page: Page): boolean }, page: Page): PlacesName =>
  reader.isBounded(page) ? 'answers' : 'lists';

/** What a reader needs of a request; `orderBy` is that of the list unless another one is asked for. */
export const pageOf = (
  { criteria, orderBy, limit, offset }: ListRequest,
  usual: CoreListPage['orderBy'],
  fixed: CoreListPage['criteria'] = {},
): CoreListPage => ({
  criteria: {
    ...Object.fromEntries(Object.entries(criteria).map(([name, value]) => [name, [value].flat()])),
    ...fixed,
  },
  orderBy: orderBy.length > 0 ? orderBy : usual,
  limit,
  offset,
});

/** The same for a list in memory: what it is sorted by follows what is asked for. */
export const memoryPageOf = (
  { criteria, orderBy, limit, offset }: ListRequest,
  usual: MemoryPage['orderBy'],
): MemoryPage => ({ criteria, orderBy: [...orderBy, ...usual], limit, offset });

/** A list in memory as a node answers it. `of`: whose it is. */
export const memoryAnswer = async <Row extends { readonly id: unknown }>(
  reader: MemoryListReader<Row>,
  request: ListRequest,
  usual: MemoryPage['orderBy'],
  pathname: string,
  chain: ChainView,
  shown: (row: Row, chain: ChainView) => object,
  of?: string,
) => {
  const found = await reader.listPage(chain.head, memoryPageOf(request, usual), epochOf(chain.constants), of);
  return listAnswer(request, pathname, found, (row) => shown(row, chain));
};
