import { blocksPerMinuteChart, missedSlotsChart } from '../charts/round-charts.js';
import { forgersPanel } from '../forgers/forgers-panel.js';
import { html } from '../html.js';
import { definePage } from '../page/define-page.js';

/** The round of the next block, who forges in it, and the rounds before. */
export const roundsPage = definePage({
  path: '/rounds',
  menu: 'Rounds',
  read: () => Promise.resolve(null),
  title: () => 'Rounds',
  description: () => 'The forgers of the next slots, and the rounds that ended.',
  main: (state) =>
    html`<h1 id="title" tabindex="-1">Rounds</h1>
      ${forgersPanel(state)}
      <div class="charts">${blocksPerMinuteChart(state.status)} ${missedSlotsChart(state.status)}</div>`,
});
