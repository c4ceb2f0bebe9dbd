import { ApiError, ForkError } from '../errors.js';
import type { Account, AccountsResponse, Transaction, TransactionsResponse } from '../generated/api.js';

type Cursor = { readonly cursor: string | undefined };

const CURSOR_PASSED = 409;

/**
 * Follows the cursor to the end. A page may be empty before that. If a fork undid where a page ended, throws `ForkError`,
 * or begins again if nothing was returned.
 */
export async function* allTransactions(
  get: (page: Cursor) => Promise<TransactionsResponse>,
): AsyncGenerator<Transaction, void> {
  let cursor: string | null = null;
  let last: Transaction | undefined;
  do {
    let page: TransactionsResponse;
    try {
      page = await get({ cursor: cursor ?? undefined });
    } catch (error) {
      if (cursor === null || !(error instanceof ApiError) || error.status !== CURSOR_PASSED) throw error;
      if (last) throw new ForkError(last.height, last.blockId);
      page = await get({ cursor: undefined });
    }
    yield* page.transactions;
    last = page.transactions.at(-1) ?? last;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** Follows the cursor to the end, and returns each account once. */
export async function* allAccounts(
  get: (page: Cursor) => Promise<AccountsResponse>,
): AsyncGenerator<Account, void> {
  const returned = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: AccountsResponse = await get({ cursor: cursor ?? undefined });
    for (const account of page.accounts) {
      if (returned.has(account.address)) continue;
      returned.add(account.address);
      yield account;
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
}
