import { chartsSection } from '../charts/chart.js';
import { dayCharts } from '../charts/day-charts.js';
import { votesChart } from '../charts/votes-chart.js';
import { html } from '../html.js';
import { definePage } from '../page/define-page.js';
import { figures } from '../page/figures.js';
import { cursorLinks } from '../page/page-links.js';
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
  main: (state, { days, nextCursor }, asked) => {
    const { symbol, token } = state.status.network;
    return html`<h1 id="title" tabindex="-1">Statistics</h1>
      ${figures(state)}
      ${chartsSection([dayCharts(days, symbol, token), asked.query.cursor === '' && votesChart(state.status)])}
      ${cursorLinks('days', asked, nextCursor, ['Newest days', 'Days before'])}`;
  },
});
