import { accountDetail } from '../accounts/account-detail.js';
import { accountHref } from '../page/addresses.js';
import { definePage } from '../page/define-page.js';
import { cursorQuery } from '../page/page-state.js';
import { cursorParameter } from '../page/parameters.js';

/** One account, by its address, its public key or the username of its delegate, with its transactions. */
export const accountPage = definePage({
  path: '/accounts/:name',
  parameters: { cursor: cursorParameter },
  isRare: true,
  read: async ({ get }, { name, query }) => {
    const { account } = await get('/api/accounts/{account}', { account: name });
    const list = await get('/api/accounts/{account}/transactions', {
      account: account.address,
      ...cursorQuery(query.cursor),
    });
    return { account, list };
  },
  title: ({ account }) => account.address,
  description: ({ account }) => `The account ${account.address}: its balance, vote and transactions.`,
  canonical: ({ account }) => accountHref(account.address),
  main: (state, { account, list }, { to }) => accountDetail(state, account, list, (cursor) => to({ cursor })),
});
