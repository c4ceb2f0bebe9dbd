import { html, type Html } from '../html.js';
import { LONGEST_SEARCH } from './parameters.js';

/** Takes a name or a number as it is: nothing is completed, corrected or capitalised. */
export const searchField = (id: string, value: string, placeholder = ''): Html =>
  html`<input
    type="search"
    id="${id}"
    name="q"
    value="${value}"
    placeholder="${placeholder}"
    maxlength="${LONGEST_SEARCH}"
    autocomplete="off"
    autocapitalize="none"
    spellcheck="false"
  />`;
