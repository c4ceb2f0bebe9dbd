import { html, type Html } from '../html.js';
import { delegateHref } from '../page/addresses.js';

/** The first characters of a public key, enough to tell keys apart at a glance. */
const shortKey = (publicKey: string): string => `${publicKey.slice(0, 8)}…`;

/** A link to a delegate's page. Its name can be any text, and may run in either direction. */
export const delegateLink = (username: string | null, publicKey: string): Html =>
  username === null
    ? html`<span class="key" title="${publicKey}">${shortKey(publicKey)}</span>`
    : html`<a href="${delegateHref(username)}"><bdi>${username}</bdi></a>`;
