import { blocksTable } from '../blocks/blocks-table.js';
import { html } from '../html.js';
import { definePage } from '../page/define-page.js';
import { ROWS_PER_PAGE } from '../page/page-state.js';
import { offsetParameter } from '../page/parameters.js';

/** All blocks, newest first. */
export const blocksPage = definePage({
  path: '/blocks',
  menu: 'Blocks',
  parameters: { offset: offsetParameter },
  read: async ({ get }, { query }) =>
    (await get('/api/blocks', { limit: ROWS_PER_PAGE, offset: Number(query.offset) })).blocks,
  title: () => 'Blocks',
  description: () => 'All blocks of the chain, newest first.',
  main: (state, blocks, { query, to }) => {
    const offset = Number(query.offset);
    const names = new Map(state.status.delegates.map(({ publicKey, username }) => [publicKey, username]));
    const listed = blocks.map((block) => ({
      ...block,
      username: names.get(block.generatorPublicKey) ?? null,
    }));
    const newer = offset > ROWS_PER_PAGE ? String(offset - ROWS_PER_PAGE) : '';
    const more = html`<nav class="more" aria-label="Pages of blocks">
      ${offset > 0 && html`<a href="${to({ offset: newer })}" rel="prev">Newer</a>`}
      ${
        offset + ROWS_PER_PAGE < state.status.height &&
        html`<a href="${to({ offset: String(offset + ROWS_PER_PAGE) })}" rel="next">Older</a>`
      }
    </nav>`;
    return html`<h1 id="title" tabindex="-1">Blocks</h1>
      ${blocksTable(state, 'Newest first', listed, more)}`;
  },
});
