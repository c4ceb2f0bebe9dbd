import type { Account, LedgerChanges } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { columns } from './columns.js';
import { copyLine } from './copy-text.js';
import { UPDATE_ACCOUNTS, UPDATE_AMOUNTS } from './queries.js';
import { copyStep, queryStep, type WriteStep } from './write-step.js';

const ACCOUNT_COLUMNS = ['address', 'public_key', 'balance', 'locked', 'vote'] as const;

function* accountLines(accounts: Iterable<Account>): Generator<string, void> {
  for (const { address, publicKey, balance, locked, vote } of accounts) {
    yield copyLine([address, publicKey, balance, locked, vote]);
  }
}

const amountSteps = (client: ClientBase, accounts: readonly Account[]): WriteStep[] => {
  if (accounts.length === 0) return [];
  const values = columns(
    accounts,
    (account) => account.address,
    (account) => account.balance,
    (account) => account.locked,
  );
  return [queryStep(client, UPDATE_AMOUNTS, values)];
};

const redirectedSteps = (client: ClientBase, accounts: readonly Account[]): WriteStep[] => {
  if (accounts.length === 0) return [];
  const values = columns(
    accounts,
    (account) => account.address,
    (account) => account.publicKey,
    (account) => account.balance,
    (account) => account.locked,
    (account) => account.vote,
  );
  return [queryStep(client, UPDATE_ACCOUNTS, values)];
};

/** New accounts by COPY, the others by what has changed of them: an upsert of all would cost twice as much. */
export const accountSteps = (client: ClientBase, changes: LedgerChanges): WriteStep[] => {
  const { createdAccounts, updatedAccounts, redirectedAccounts } = changes;
  const updated = [...updatedAccounts];
  return [
    ...copyStep(client, {
      table: 'accounts',
      columns: ACCOUNT_COLUMNS,
      lines: accountLines(createdAccounts),
    }),
    ...amountSteps(
      client,
      updated.filter((account) => !redirectedAccounts.has(account)),
    ),
    ...redirectedSteps(
      client,
      updated.filter((account) => redirectedAccounts.has(account)),
    ),
  ];
};
