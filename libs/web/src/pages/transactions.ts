import { html } from '../html.js';
import { definePage } from '../page/define-page.js';
import { cursorQuery } from '../page/page-state.js';
import { cursorParameter } from '../page/parameters.js';
import { transactionsTable } from '../transactions/transactions-table.js';

/** All transactions, newest first. */
export const transactionsPage = definePage({
  path: '/transactions',
  menu: 'Transactions',
  parameters: { cursor: cursorParameter },
  read: ({ get }, { query }) => get('/api/transactions', cursorQuery(query.cursor)),
  title: () => 'Transactions',
  description: () => 'All transactions of the chain, newest first.',
  main: (state, list, asked) =>
    html`<h1 id="title" tabindex="-1">Transactions</h1>
      ${transactionsTable(state, list, asked)}`,
});
