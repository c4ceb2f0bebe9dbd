import { blocksTable } from '../blocks/blocks-table.js';
import { blocksPerMinuteChart, missedSlotsChart } from '../charts/round-charts.js';
import { votesChart } from '../charts/votes-chart.js';
import { delegatesTable } from '../delegates/delegates-table.js';
import { forgersPanel } from '../forgers/forgers-panel.js';
import { html, type Html } from '../html.js';
import { foundPanel } from '../search/found-panel.js';
import { figures } from './figures.js';
import type { OverviewView, PageState } from './page-state.js';

export const overview = (state: PageState, view: OverviewView): Html => {
  const { status } = state;
  return html`<h1 class="unseen">Status of ${status.network.name}</h1>
    ${figures(state)}
    <div class="pair">${blocksTable(state)} ${forgersPanel(state)}</div>
    <section aria-labelledby="charts-title">
      <h2 id="charts-title" class="unseen">Charts</h2>
      <div class="charts">
        ${blocksPerMinuteChart(status)} ${missedSlotsChart(status)} ${votesChart(status)}
      </div>
    </section>
    ${foundPanel(state, view)} ${delegatesTable(state, view)}`;
};
