import { blocksTable } from '../blocks/blocks-table.js';
import { delegateHref } from '../page/addresses.js';
import { html } from '../html.js';
import { definePage } from '../page/define-page.js';
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
  main: (state, { blocks, nextCursor }, { query, to }) => {
    const { delegate } = query;
    const offset = Number(query.offset);
    const names = new Map(state.status.delegates.map(({ publicKey, username }) => [publicKey, username]));
    const listed = blocks.map((block) => ({
      ...block,
      username: names.get(block.generatorPublicKey) ?? null,
    }));
    const isRange = delegate === '';
    const hasOlder = isRange && offset + ROWS_PER_PAGE < state.status.height;
    const older = hasOlder
      ? { offset: String(offset + ROWS_PER_PAGE) }
      : nextCursor && { cursor: nextCursor };
    const newer = offset > ROWS_PER_PAGE ? String(offset - ROWS_PER_PAGE) : '';
    const more = html`<nav class="more" aria-label="Pages of blocks">
      ${isRange && offset > 0 && html`<a href="${to({ offset: newer })}" rel="prev">Newer</a>`}
      ${query.cursor !== '' && html`<a href="${to({ cursor: '' })}">Newest</a>`}
      ${older && html`<a href="${to(older)}" rel="next">Older</a>`}
    </nav>`;
    const whose = html`<span class="kind">Blocks of</span>
      <a href="${delegateHref(delegate)}"><bdi>${delegate}</bdi></a>`;
    return html`<h1 id="title" tabindex="-1">${isRange ? 'Blocks' : whose}</h1>
      ${blocksTable(state, 'Newest first', listed, more)}`;
  },
});
