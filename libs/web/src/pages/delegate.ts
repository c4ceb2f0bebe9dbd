import { stepOf } from '../charts/series-charts.js';
import { delegateDetail, VOTERS_PER_PAGE } from '../delegates/delegate-detail.js';
import { delegateHref } from '../page/addresses.js';
import { definePage, NothingHere } from '../page/define-page.js';
import { offsetParameter } from '../page/parameters.js';

/** How many rounds the charts show. */
const ROUNDS_PER_CHART = 100;

const PUBLIC_KEY = /^[0-9a-f]{66}$/i;

/** One delegate, by its username or public key, with its voters and last rounds. */
export const delegatePage = definePage({
  path: '/delegates/:name',
  parameters: { offset: offsetParameter },
  read: async ({ get, getHistory }, { name, query }, status) => {
    const asked = PUBLIC_KEY.test(name) ? { publicKey: name } : { username: name };
    const [delegate] = (await get('/delegates.json', asked)).delegates;
    if (!delegate) throw new NothingHere('There is no delegate with this username or public key.');
    const { publicKey } = delegate;
    const step = stepOf(await status);
    const [{ accounts }, history, series] = await Promise.all([
      // One more than the page shows, to know whether there are more.
      get('/api/delegates/voters', { publicKey, limit: VOTERS_PER_PAGE + 1, offset: Number(query.offset) }),
      getHistory('/api/history/delegates/{delegate}/rounds', {
        delegate: publicKey,
        limit: ROUNDS_PER_CHART,
      }),
      getHistory('/api/history/delegates/{delegate}/series', { delegate: publicKey, step }),
    ]);
    return {
      delegate,
      voters: accounts.slice(0, VOTERS_PER_PAGE),
      hasMoreVoters: accounts.length > VOTERS_PER_PAGE,
      rounds: history?.rounds ?? [],
      periods: series?.points ?? [],
    };
  },
  title: ({ delegate }) => delegate.username,
  description: ({ delegate }) => `The delegate ${delegate.username}: its weight, voters and what it forged.`,
  canonical: ({ delegate }) => delegateHref(delegate.username),
  main: (state, view, asked) => delegateDetail(state, view, asked),
});
