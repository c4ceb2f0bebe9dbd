import type { FastifyInstance } from 'fastify';
import { notFound } from '../api.error.js';
import type { DevnetContext } from '../devnet-context.js';
import { pageOf, slicePage } from '../page.js';
import { byBalance, findAccount, presentWallet } from '../present/wallet.js';
import { Query, type RawQuery } from '../query.js';

export const walletRoutes = (api: FastifyInstance, { chain }: DevnetContext): void => {
  api.get<{ Querystring: RawQuery }>('/api/wallets', (request) => {
    const query = new Query(request.query, ['page', 'limit', 'offset']);
    const paging = query.paging();
    const accounts = [...chain.state.ledger.accounts.values()].sort(byBalance);
    const rows = slicePage(accounts, paging).map((account) => presentWallet(account, chain.state));
    return pageOf({ path: '/wallets', query, paging, total: accounts.length, rows, isEstimate: false });
  });

  api.get<{ Params: { id: string } }>('/api/wallets/:id', ({ params }) => {
    const account = findAccount(chain.state, params.id);
    if (!account) throw notFound('Wallet not found');
    return { data: presentWallet(account, chain.state) };
  });
};
