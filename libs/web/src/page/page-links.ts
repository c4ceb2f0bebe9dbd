import { html, type Content, type Html } from '../html.js';
import type { Asked } from './define-page.js';

type PageLink = readonly [text: string, href: string, rel?: 'prev' | 'next'];

const linkOf = ([text, href, rel]: PageLink): Html =>
  rel ? html`<a href="${href}" rel="${rel}">${text}</a>` : html`<a href="${href}">${text}</a>`;

/** Links to other pages of a list, without those that lead nowhere; null if none is left. */
export const pageLinks = (
  of: string,
  links: readonly (PageLink | false)[],
  shown: Content = null,
): Html | null => {
  const present = links.filter((link) => link !== false);
  if (present.length === 0) return null;
  return html`<nav class="more" aria-label="Pages of ${of}">${shown} ${present.map(linkOf)}</nav>`;
};

/** Those of a list with cursors. `place`: the list's fragment, if other things stand above it. */
export const cursorLinks = (
  of: string,
  { query, to }: Asked<'cursor'>,
  nextCursor: string | null,
  [first, next] = ['Newest', 'Older'],
  place = '',
): Html | null =>
  pageLinks(of, [
    query.cursor !== '' && [first, to({ cursor: '' }) + place],
    nextCursor !== null && [next, to({ cursor: nextCursor }) + place, 'next'],
  ]);
