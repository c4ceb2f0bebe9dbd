import type { TransactionsResponse } from '@roundhouse/client';

export type { PageState } from './define-page.js';

/** A page of transactions, and the cursor of the next one. */
export type TransactionList = Omit<TransactionsResponse, 'success'>;

/** How many blocks, transactions or accounts a page of a list shows. */
export const ROWS_PER_PAGE = 25;

/** The query of a page of a list with cursors. */
export const cursorQuery = (cursor: string): { limit: number; cursor?: string } => ({
  limit: ROWS_PER_PAGE,
  ...(cursor !== '' && { cursor }),
});
