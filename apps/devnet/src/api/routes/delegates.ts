import type { FastifyInstance } from 'fastify';
import type { DevnetChain } from '../../chain/devnet-chain.js';
import { notFound } from '../api.error.js';
import { compare } from '../compare.js';
import type { DevnetContext } from '../devnet-context.js';
import { pageOf, slicePage } from '../page.js';
import { presentDelegate, rankDelegates, type RankedDelegate } from '../present/delegate.js';
import { byBalance, presentWallet } from '../present/wallet.js';
import { Query, type Order, type RawQuery } from '../query.js';

const PAGE_PARAMETERS = ['page', 'limit', 'offset', 'orderBy'];

type Compare = (a: RankedDelegate, b: RankedDelegate) => number;

const comparisons: Readonly<Record<string, Compare>> = {
  rank: (a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || 0,
  votes: (a, b) => compare(a.delegate.weight, b.delegate.weight),
  username: (a, b) => compare(a.delegate.username, b.delegate.username),
  publicKey: (a, b) => compare(a.delegate.publicKey, b.delegate.publicKey),
  address: (a, b) => compare(a.delegate.address, b.delegate.address),
};

const sortBy = (
  delegates: readonly RankedDelegate[],
  [order]: readonly Order[],
): readonly RankedDelegate[] => {
  const compare = order && comparisons[order.property];
  if (!compare) return delegates;
  return [...delegates].sort((a, b) => (order.isDescending ? compare(b, a) : compare(a, b)));
};

/** Finds a delegate by username, public key or address. */
const getDelegate = (chain: DevnetChain, id: string): RankedDelegate => {
  const found = rankDelegates(chain).find(
    ({ delegate }) => delegate.username === id || delegate.publicKey === id || delegate.address === id,
  );
  if (!found) throw notFound('Wallet not found');
  return found;
};

export const delegateRoutes = (api: FastifyInstance, { chain }: DevnetContext): void => {
  api.get<{ Querystring: RawQuery }>('/api/delegates', (request) => {
    const query = new Query(request.query, [...PAGE_PARAMETERS, 'isResigned']);
    const paging = query.paging();
    const all = sortBy(rankDelegates(chain), query.order(Object.keys(comparisons)));
    const isResigned = query.boolean('isResigned', false);
    const wanted = query.has('isResigned')
      ? all.filter(({ delegate }) => delegate.isResigned === isResigned)
      : all;
    const rows = slicePage(wanted, paging).map((delegate) => presentDelegate(delegate, chain));
    return pageOf({ path: '/delegates', query, paging, total: wanted.length, rows, isEstimate: false });
  });

  api.get<{ Params: { id: string } }>('/api/delegates/:id', ({ params }) => ({
    data: presentDelegate(getDelegate(chain, params.id), chain),
  }));

  api.get<{ Querystring: RawQuery; Params: { id: string } }>('/api/delegates/:id/voters', (request) => {
    const query = new Query(request.query, PAGE_PARAMETERS);
    const paging = query.paging();
    const { publicKey } = getDelegate(chain, request.params.id).delegate;
    const voters = [...chain.state.ledger.accounts.values()]
      .filter((account) => account.vote === publicKey)
      .sort(byBalance);
    const rows = slicePage(voters, paging).map((account) => presentWallet(account, chain.state));
    const path = `/delegates/${request.params.id}/voters`;
    return pageOf({ path, query, paging, total: voters.length, rows, isEstimate: false });
  });
};
