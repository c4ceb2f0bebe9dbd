import { html, type Content, type Html } from '../html.js';

/** A name and its value. Facts without a value (null, false) are not shown. */
export type Fact = readonly [name: string, value: Content];

export const factList = (facts: readonly Fact[]): Html =>
  html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        value !== null &&
        value !== false &&
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
