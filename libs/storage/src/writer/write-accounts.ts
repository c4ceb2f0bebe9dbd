import type { Account, LedgerChanges } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { columns } from './columns.js';
import { copyLine, copyRows } from './copy-text.js';
import { UPDATE_ACCOUNTS, UPDATE_AMOUNTS } from './queries.js';

const ACCOUNT_COLUMNS = ['address', 'public_key', 'balance', 'locked', 'vote'] as const;

function* accountLines(accounts: Iterable<Account>): Generator<string, void> {
  for (const { address, publicKey, balance, locked, vote } of accounts) {
    yield copyLine([address, publicKey, balance, locked, vote]);
  }
}

const updateAmounts = async (client: ClientBase, accounts: readonly Account[]): Promise<void> => {
  if (accounts.length === 0) return;
  const values = columns(
    accounts,
    (account) => account.address,
    (account) => account.balance,
    (account) => account.locked,
  );
  await client.query(UPDATE_AMOUNTS, values);
};

const updateAccounts = async (client: ClientBase, accounts: readonly Account[]): Promise<void> => {
  if (accounts.length === 0) return;
  const values = columns(
    accounts,
    (account) => account.address,
    (account) => account.publicKey,
    (account) => account.balance,
    (account) => account.locked,
    (account) => account.vote,
  );
  await client.query(UPDATE_ACCOUNTS, values);
};

/** New accounts by COPY, the others by what has changed of them: an upsert of all would cost twice as much. */
export const writeAccounts = async (client: ClientBase, changes: LedgerChanges): Promise<void> => {
  const { createdAccounts, updatedAccounts, redirectedAccounts } = changes;
  await copyRows(client, 'accounts', ACCOUNT_COLUMNS, accountLines(createdAccounts));
  const updated = [...updatedAccounts];
  await updateAmounts(
    client,
    updated.filter((account) => !redirectedAccounts.has(account)),
  );
  await updateAccounts(
    client,
    updated.filter((account) => redirectedAccounts.has(account)),
  );
};
