import { html, type Html } from '../html.js';

interface DownloadField {
  /** Its name in the query. */
  readonly name: string;
  readonly label: string;
  readonly type: 'date' | 'number';
  readonly value: string;
  readonly min: string;
  readonly max: string;
  readonly step?: string;
}

interface Download {
  /** Begins the ids of its parts. */
  readonly id: string;
  readonly title: string;
  /** What the file has. */
  readonly says: string;
  /** The route of the API, which answers CSV. */
  readonly action: string;
  readonly fields: readonly DownloadField[];
}

/** A form that gets an answer of the API as CSV. */
export const downloadForm = ({ id, title, says, action, fields }: Download): Html =>
  html`<section class="panel" id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    <p class="quiet">${says}</p>
    <form class="find" method="get" action="${action}">
      <input type="hidden" name="format" value="csv" />
      ${fields.map(
        ({ name, label, type, value, min, max, step = '1' }) =>
          html`<label for="${id}-${name}">${label}</label>
            <input
              type="${type}"
              id="${id}-${name}"
              name="${name}"
              value="${value}"
              min="${min}"
              max="${max}"
              step="${step}"
              required
            />`,
      )}
      <button type="submit">Download CSV</button>
    </form>
  </section>`;
