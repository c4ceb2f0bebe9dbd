import { html, type Html } from '../html.js';
import { delegateHref } from '../page/location.js';

/** A public key cut to what tells keys apart at a glance. */
const shortKey = (publicKey: string): string => `${publicKey.slice(0, 8)}…`;

/** A delegate's name, which is anybody's text and may run in either direction, as a link to its page. */
export const delegateLink = (username: string | null, publicKey: string): Html =>
  username === null
    ? html`<span class="key" title="${publicKey}">${shortKey(publicKey)}</span>`
    : html`<a href="${delegateHref(username)}"><bdi>${username}</bdi></a>`;
