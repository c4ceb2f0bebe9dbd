import { html } from '../html.js';
import { accountHref, blockHref, delegateHref, transactionHref } from '../page/addresses.js';
import { definePage, Elsewhere } from '../page/define-page.js';
import { searchParameter } from '../page/parameters.js';
import { foundPanel, NOTHING_FOUND, type Found } from '../search/found-panel.js';

const hrefsOf = ({ delegates, accounts, blocks, transactions }: Found): string[] => [
  ...delegates.map(({ username }) => delegateHref(username)),
  ...accounts.map(({ address }) => accountHref(address)),
  ...blocks.map(({ id }) => blockHref(id)),
  ...transactions.map(({ id }) => transactionHref(id)),
];

/** What a text names. If that is one thing, its page is shown instead. */
export const searchPage = definePage({
  path: '/search',
  parameters: { q: searchParameter },
  isRare: true,
  read: async ({ get }, { query: { q } }) => {
    const found = q === '' ? NOTHING_FOUND : await get('/api/search', { q });
    const [first, second] = hrefsOf(found);
    if (first !== undefined && second === undefined) throw new Elsewhere(first);
    return { found, q };
  },
  title: ({ q }) => (q === '' ? 'Search' : `${q}: search`),
  description: () => 'Finds blocks, transactions, accounts and delegates.',
  main: (state, { found, q }) =>
    html`<h1 id="title" tabindex="-1">
        <span class="kind">Search</span> ${q !== '' && html`<bdi>${q}</bdi>`}
      </h1>
      ${foundPanel(state, found, q)}`,
});
