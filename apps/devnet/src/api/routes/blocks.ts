import type { FastifyInstance } from 'fastify';
import type { DevnetChain } from '../../chain/devnet-chain.js';
import type { RawBlock } from '../../chain/raw-block.js';
import { notFound, unprocessable } from '../api.error.js';
import type { DevnetContext } from '../devnet-context.js';
import { pageOf, slicePage } from '../page.js';
import { presentBlock, presentRawBlock } from '../present/block.js';
import { Query, type RawQuery } from '../query.js';
import { transactionPage } from './transactions.js';

const LIST_PARAMETERS = [
  'page',
  'limit',
  'offset',
  'orderBy',
  'transform',
  'id',
  'height',
  'height.from',
  'height.to',
  'generatorPublicKey',
];

/** The heights of a page within `from` to `to`, computed without listing all others. */
interface Heights {
  readonly total: number;
  page(offset: number, limit: number): readonly number[];
}

const rangeOfHeights = (from: number, to: number, isDescending: boolean): Heights => {
  const total = Math.max(to - from + 1, 0);
  return {
    total,
    page: (offset, limit) =>
      Array.from({ length: Math.max(Math.min(limit, total - offset), 0) }, (_, index) =>
        isDescending ? to - offset - index : from + offset + index,
      ),
  };
};

const listOfHeights = (heights: readonly number[], isDescending: boolean): Heights => {
  const sorted = [...new Set(heights)].sort((a, b) => (isDescending ? b - a : a - b));
  return { total: sorted.length, page: (offset, limit) => slicePage(sorted, { page: 1, offset, limit }) };
};

const boundOf = (query: Query, name: string): number | null => {
  const value = query.raw[name];
  if (value === undefined) return null;
  if (typeof value === 'string' && /^\d+$/.test(value)) return Number(value);
  throw unprocessable('"height" does not match any of the allowed types');
};

/** The heights of the blocks that match the request. */
const selectHeights = ({ log }: DevnetChain, query: Query): Heights => {
  const [order] = query.order(['height', 'timestamp']);
  const isDescending = order?.isDescending ?? true;
  const from = Math.max(boundOf(query, 'height.from') ?? 1, 1);
  const to = Math.min(boundOf(query, 'height.to') ?? log.height, log.height);
  const ids = query.blockIds('id')?.map((id) => log.findHeight(id));
  const heights = query.integers('height') ?? ids?.filter((height) => height !== null);
  const generators = query.list('generatorPublicKey');
  if (!heights && !generators) return rangeOfHeights(from, to, isDescending);
  const candidates = heights ?? rangeOfHeights(from, to, false).page(0, to);
  const isWanted = (height: number): boolean =>
    height >= from &&
    height <= to &&
    (!generators || generators.includes(log.read(height).generatorPublicKey));
  return listOfHeights(candidates.filter(isWanted), isDescending);
};

/** Finds a block by height or id. Throws 404, or 422 for text that is neither. */
export const getBlock = ({ log }: DevnetChain, id: string): RawBlock => {
  if (!/^\d{1,20}$|^[0-9a-f]{64}$/i.test(id))
    throw unprocessable('"id" does not match any of the allowed types');
  const height = log.findHeight(id) ?? Number(id);
  if (!Number.isInteger(height) || height < 1 || height > log.height) throw notFound('Block not found');
  return log.read(height);
};

const present = (chain: DevnetChain, block: RawBlock, rawQuery: RawQuery): object => {
  const isTransformed = new Query(rawQuery, ['transform']).boolean('transform', true);
  return { data: isTransformed ? presentBlock(block, chain) : presentRawBlock(block) };
};

/** `serve` may change the contents of a list. */
export const blockRoutes = (
  api: FastifyInstance,
  { chain }: DevnetContext,
  serve: (blocks: readonly RawBlock[]) => readonly RawBlock[],
): void => {
  api.get<{ Querystring: RawQuery }>('/api/blocks', (request) => {
    const query = new Query(request.query, LIST_PARAMETERS);
    const paging = query.paging();
    const isTransformed = query.boolean('transform', true);
    const heights = selectHeights(chain, query);
    const blocks = heights.page(paging.offset, paging.limit).map((height) => chain.log.read(height));
    const rows = serve(blocks).map((block) =>
      isTransformed ? presentBlock(block, chain) : presentRawBlock(block),
    );
    return pageOf({ path: '/blocks', query, paging, total: heights.total, rows, isEstimate: true });
  });

  api.get<{ Querystring: RawQuery }>('/api/blocks/first', ({ query }) =>
    present(chain, chain.log.read(1), query),
  );

  api.get<{ Querystring: RawQuery }>('/api/blocks/last', ({ query }) => present(chain, chain.head, query));

  api.get<{ Querystring: RawQuery; Params: { id: string } }>('/api/blocks/:id', ({ params, query }) =>
    present(chain, getBlock(chain, params.id), query),
  );

  api.get<{ Querystring: RawQuery; Params: { id: string } }>('/api/blocks/:id/transactions', (request) => {
    const { id } = request.params;
    const block = getBlock(chain, id);
    return transactionPage(chain, request.query, `/blocks/${id}/transactions`, [block.height]);
  });
};
