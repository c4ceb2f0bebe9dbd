import { html, type Html } from '../html.js';
import { accountHref } from './addresses.js';

/** An id or a key, in a font in which its characters differ. */
export const key = (text: string): Html => html`<span class="key">${text}</span>`;

/** A whole address with its page. */
export const accountKey = (address: string): Html =>
  html`<a class="key" href="${accountHref(address)}">${address}</a>`;
