import { accountDetail } from '../accounts/account-detail.js';
import { stepOf } from '../charts/series-charts.js';
import { nameOfDelegate } from '../delegates/name-of-delegate.js';
import { accountHref } from '../page/addresses.js';
import { definePage } from '../page/define-page.js';
import { cursorQuery } from '../page/page-state.js';
import { cursorParameter } from '../page/parameters.js';

/** One account, by its address, its public key or the username of its delegate, with its transactions. */
export const accountPage = definePage({
  path: '/accounts/:name',
  parameters: { cursor: cursorParameter },
  isRare: true,
  read: async (reader, { name, query }, status) => {
    const { account } = await reader.get('/api/accounts/{account}', { account: name });
    const { address, vote } = account;
    const isFirst = query.cursor === '';
    const step = stepOf(await status);
    const [list, votesFor, history] = await Promise.all([
      reader.get('/api/accounts/{account}/transactions', { account: address, ...cursorQuery(query.cursor) }),
      vote && nameOfDelegate(reader, vote),
      isFirst ? reader.getHistory('/api/history/accounts/{address}/series', { address, step }) : null,
    ]);
    return { account, list, votesFor, balances: history?.points ?? [] };
  },
  title: ({ account }) => account.address,
  description: ({ account }) => `The account ${account.address}: its balance, vote and transactions.`,
  canonical: ({ account }) => accountHref(account.address),
  main: accountDetail,
});
