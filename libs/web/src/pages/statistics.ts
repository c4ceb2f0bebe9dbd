import { chartsSection } from '../charts/chart.js';
import { dayCharts } from '../charts/day-charts.js';
import { votesChart } from '../charts/votes-chart.js';
import { html } from '../html.js';
import { definePage } from '../page/define-page.js';
import { figures } from '../page/figures.js';
import { cursorParameter } from '../page/parameters.js';

/** How many days the charts show. */
const DAYS = 60;

/** An earlier version began the index, and "indexer rebuild" gives it days. */
const OLD_INDEX = { days: [], nextCursor: null };

/** Figures of the whole chain, and what happened on each day. */
export const statisticsPage = definePage({
  path: '/statistics',
  menu: 'Statistics',
  parameters: { cursor: cursorParameter },
  read: async ({ getHistory }, { query: { cursor } }) =>
    (await getHistory('/api/statistics/daily', { limit: DAYS, ...(cursor !== '' && { cursor }) })) ??
    OLD_INDEX,
  title: () => 'Statistics',
  description: () => 'Transactions, volume, fees and active addresses of the chain by day.',
  main: (state, { days, nextCursor }, { query, to }) => {
    const { symbol, token } = state.status.network;
    return html`<h1 id="title" tabindex="-1">Statistics</h1>
      ${figures(state)}
      ${chartsSection([dayCharts(days, symbol, token), query.cursor === '' && votesChart(state.status)])}
      <nav class="more" aria-label="Pages of days">
        ${query.cursor !== '' && html`<a href="${to({ cursor: '' })}">Newest days</a>`}
        ${nextCursor !== null && html`<a href="${to({ cursor: nextCursor })}" rel="next">Days before</a>`}
      </nav>`;
  },
});
