import { accountsTable } from '../accounts/accounts-table.js';
import { html } from '../html.js';
import { definePage } from '../page/define-page.js';
import { cursorLinks } from '../page/page-links.js';
import { cursorQuery } from '../page/page-state.js';
import { cursorParameter } from '../page/parameters.js';

/** All accounts, largest balance first. */
export const accountsPage = definePage({
  path: '/accounts',
  menu: 'Accounts',
  parameters: { cursor: cursorParameter },
  read: ({ get }, { query }) => get('/api/accounts', cursorQuery(query.cursor)),
  title: () => 'Accounts',
  description: () => 'All accounts of the chain, largest balance first.',
  main: (state, { accounts, nextCursor }, asked) =>
    html`<h1 id="title" tabindex="-1">Accounts</h1>
      ${accountsTable(state, accounts, cursorLinks('accounts', asked, nextCursor, ['Largest', 'Smaller balances']))}`,
});
