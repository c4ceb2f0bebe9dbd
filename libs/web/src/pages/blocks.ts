import { blocksTable } from '../blocks/blocks-table.js';
import { delegateHref } from '../page/addresses.js';
import { html } from '../html.js';
import { definePage } from '../page/define-page.js';
import { cursorLinks, pageLinks } from '../page/page-links.js';
import { cursorQuery, ROWS_PER_PAGE } from '../page/page-state.js';
import { cursorParameter, offsetParameter, searchParameter } from '../page/parameters.js';

/** All blocks, or those of a delegate, newest first. Those of a delegate have cursors, as they are no range of heights. */
export const blocksPage = definePage({
  path: '/blocks',
  menu: 'Blocks',
  parameters: { offset: offsetParameter, delegate: searchParameter, cursor: cursorParameter },
  read: async ({ get }, { query }) => {
    const { delegate } = query;
    if (delegate !== '')
      return get('/api/delegates/{delegate}/blocks', { delegate, ...cursorQuery(query.cursor) });
    const { blocks } = await get('/api/blocks', { limit: ROWS_PER_PAGE, offset: Number(query.offset) });
    return { blocks, nextCursor: null };
  },
  title: () => 'Blocks',
  description: () => 'Blocks of the chain, newest first.',
  main: (state, { blocks, nextCursor }, asked) => {
    const { delegate } = asked.query;
    const offset = Number(asked.query.offset);
    const names = new Map(state.status.delegates.map(({ publicKey, username }) => [publicKey, username]));
    const listed = blocks.map((block) => ({
      ...block,
      username: names.get(block.generatorPublicKey) ?? null,
    }));
    const isRange = delegate === '';
    const at = (from: number): string => asked.to({ offset: from > 0 ? String(from) : '' });
    const more = isRange
      ? pageLinks('blocks', [
          offset > 0 && ['Newer', at(offset - ROWS_PER_PAGE), 'prev'],
          offset + ROWS_PER_PAGE < state.status.height && ['Older', at(offset + ROWS_PER_PAGE), 'next'],
        ])
      : cursorLinks('blocks', asked, nextCursor);
    const whose = html`<span class="kind">Blocks of</span>
      <a href="${delegateHref(delegate)}"><bdi>${delegate}</bdi></a>`;
    return html`<h1 id="title" tabindex="-1">${isRange ? 'Blocks' : whose}</h1>
      ${blocksTable(state, 'Newest first', listed, more)}`;
  },
});
