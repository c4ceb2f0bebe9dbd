import { html, type Content, type Html } from '../html.js';

export const factList = (facts: readonly (readonly [string, Content])[]): Html =>
  html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
