import { definePage } from '../page/define-page.js';
import { transactionDetail } from '../transactions/transaction-detail.js';

/** One transaction, by its id. */
export const transactionPage = definePage({
  path: '/transactions/:name',
  isRare: true,
  read: async ({ get }, { name }) => (await get('/api/transactions/{id}', { id: name })).transaction,
  title: ({ id }) => `Transaction ${id.slice(0, 8)}`,
  description: ({ id, height }) => `The transaction ${id}, in the block ${height}.`,
  main: (state, transaction) => transactionDetail(state, transaction),
});
