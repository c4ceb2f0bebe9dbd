import { html, type Content, type Html } from '../html.js';
import { table } from '../page/table.js';
import { HEIGHT, WIDTH } from './columns.js';

export interface ChartTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Chart {
  readonly id: string;
  readonly title: string;
  /** In words, what the chart shows at a glance. */
  readonly description: string;
  readonly height?: number;
  readonly drawing: Content;
  /** The same figures as a table, for readers who prefer text. */
  readonly table: ChartTable;
}

const dataTable = (title: string, { heads, rows }: ChartTable): Html =>
  table(
    title,
    heads.map((head, index) => [head, index > 0 ? 'number' : '']),
    rows.map(
      ([first, ...others]) =>
        html`<tr>
          <th scope="row">${first}</th>
          ${others.map((text) => html`<td class="number">${text}</td>`)}
        </tr>`,
    ),
  );

/** Charts side by side, under a title that only screen readers need. */
export const chartsSection = (drawn: Content): Html =>
  html`<section aria-labelledby="charts-title">
    <h2 id="charts-title" class="unseen">Charts</h2>
    <div class="charts">${drawn}</div>
  </section>`;

export const chartFigure = (chart: Chart): Html =>
  html`<figure class="panel chart">
    <figcaption>
      <h3>${chart.title}</h3>
      <p class="quiet">${chart.description}</p>
    </figcaption>
    <svg
      role="img"
      aria-labelledby="${chart.id}-title ${chart.id}-description"
      viewBox="0 0 ${WIDTH} ${chart.height ?? HEIGHT}"
    >
      <title id="${chart.id}-title">${chart.title}</title>
      <desc id="${chart.id}-description">${chart.description}</desc>
      ${chart.drawing}
    </svg>
    <details id="${chart.id}-table">
      <summary>As a table</summary>
      ${dataTable(chart.title, chart.table)}
    </details>
  </figure>`;
