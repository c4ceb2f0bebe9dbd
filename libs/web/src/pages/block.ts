import { blockDetail } from '../blocks/block-detail.js';
import { nameOfDelegate } from '../delegates/name-of-delegate.js';
import { blockHref } from '../page/addresses.js';
import { definePage } from '../page/define-page.js';
import { cursorQuery } from '../page/page-state.js';
import { cursorParameter } from '../page/parameters.js';

/** One block, by its id or height, with its transactions. */
export const blockPage = definePage({
  path: '/blocks/:name',
  parameters: { cursor: cursorParameter },
  read: async (reader, { name, query }) => {
    const { get } = reader;
    const { block } = await get('/api/blocks/{block}', { block: name });
    const [forger, list] = await Promise.all([
      nameOfDelegate(reader, block.generatorPublicKey),
      get('/api/blocks/{block}/transactions', { block: block.id, ...cursorQuery(query.cursor) }),
    ]);
    return { block, forger, list };
  },
  title: ({ block }) => `Block ${block.height}`,
  description: ({ block }) => `Block ${block.height} with the id ${block.id} and its transactions.`,
  canonical: ({ block }) => blockHref(block.id),
  main: blockDetail,
});
