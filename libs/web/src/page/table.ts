import { html, type Content, type Html } from '../html.js';

/** The title of a column, and the class of its cells. */
type Head = readonly [title: Content, className?: string];

/** @param caption what the table has, for readers who do not see its place */
export const table = (caption: string, heads: readonly Head[], rows: Content): Html =>
  html`<div class="table">
    <table>
      <caption class="unseen">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map(([title, className = '']) => html`<th scope="col" class="${className}">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
