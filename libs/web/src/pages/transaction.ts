import { nameOfDelegate } from '../delegates/name-of-delegate.js';
import { definePage } from '../page/define-page.js';
import { votesOf } from '../transactions/asset.js';
import { transactionDetail } from '../transactions/transaction-detail.js';

/** One transaction, by its id. */
export const transactionPage = definePage({
  path: '/transactions/:name',
  isRare: true,
  read: async (reader, { name }) => {
    const { transaction } = await reader.get('/api/transactions/{id}', { id: name });
    const keys = votesOf(transaction).map((vote) => vote.slice(1));
    const names = new Map<string, string>();
    for (const key of keys) {
      const username = await nameOfDelegate(reader, key);
      if (username !== null) names.set(key, username);
    }
    return { transaction, names };
  },
  title: ({ transaction: { id } }) => `Transaction ${id.slice(0, 8)}`,
  description: ({ transaction: { id, height } }) => `The transaction ${id}, in the block ${height}.`,
  main: (state, view) => transactionDetail(state, view),
});
