import { votesChart } from '../charts/votes-chart.js';
import { html } from '../html.js';
import { definePage } from '../page/define-page.js';
import { figures } from '../page/figures.js';

/** Figures and charts of the whole chain. */
export const statisticsPage = definePage({
  path: '/statistics',
  menu: 'Statistics',
  read: () => Promise.resolve(null),
  title: () => 'Statistics',
  description: () => 'Figures and charts of the whole chain.',
  main: (state) =>
    html`<h1 id="title" tabindex="-1">Statistics</h1>
      ${figures(state)}
      <div class="charts">${votesChart(state.status)}</div>`,
});
