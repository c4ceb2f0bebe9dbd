import { blocksTable } from '../blocks/blocks-table.js';
import { chartsSection } from '../charts/chart.js';
import { blocksPerMinuteChart, missedSlotsChart } from '../charts/round-charts.js';
import { votesChart } from '../charts/votes-chart.js';
import { forgersPanel } from '../forgers/forgers-panel.js';
import { html } from '../html.js';
import { definePage } from '../page/define-page.js';
import { figures } from '../page/figures.js';
import { transactionsTable } from '../transactions/transactions-table.js';

const BLOCKS = 12;
const TRANSACTIONS = 10;
const FORGERS = 10;

/** The state of the chain at a glance. */
export const overviewPage = definePage({
  path: '/',
  menu: 'Overview',
  read: async ({ get }) => (await get('/api/transactions', { limit: TRANSACTIONS })).transactions,
  title: () => null,
  description: () => 'The state of the chain: newest blocks and transactions, next forgers.',
  main: (state, transactions) => {
    const { status } = state;
    return html`<h1 class="unseen" id="title" tabindex="-1">Status of ${status.network.name}</h1>
      ${figures(state)}
      <div class="pair">
        ${blocksTable(state, 'Newest blocks', status.blocks.slice(0, BLOCKS))} ${forgersPanel(state, FORGERS)}
      </div>
      ${transactionsTable(state, { transactions, nextCursor: null })}
      ${chartsSection([blocksPerMinuteChart(status), missedSlotsChart(status), votesChart(status)])}`;
  },
});
