import { delegatesTable, DELEGATES_PER_PAGE, type DelegatesPage } from '../delegates/delegates-table.js';
import { definePage } from '../page/define-page.js';
import { offsetParameter, orderParameter, searchParameter } from '../page/parameters.js';

/** A longer text is in no name, and /delegates.json refuses it. */
const LONGEST_USERNAME = 20;

const NOBODY: DelegatesPage = { delegates: [], count: 0 };

/** The ranking of delegates, searched, sorted and in pages. */
export const delegatesPage = definePage({
  path: '/delegates',
  menu: 'Delegates',
  parameters: { q: searchParameter, orderBy: orderParameter, offset: offsetParameter },
  read: async ({ get }, { query: { q, orderBy, offset } }): Promise<DelegatesPage> => {
    if ([...q].length > LONGEST_USERNAME) return NOBODY;
    return get('/delegates.json', {
      limit: DELEGATES_PER_PAGE,
      offset: Number(offset),
      ...(q !== '' && { q }),
      ...(orderBy !== '' && { orderBy }),
    });
  },
  title: () => 'Delegates',
  description: () => 'All delegates of the chain, with the weight of their votes and what they forged.',
  main: (state, page, asked) => delegatesTable(state, page, asked),
});
