import type { ClientBase } from 'pg';

const EMPTY_ALL = `
TRUNCATE network, head, source_status, staged_ranges, blocks, transactions, accounts, delegates, locks, rounds,
  undo_accounts, undo_delegates, undo_locks`;

/** Empties every table of the index; the schema stays. */
export const resetIndex = async (client: ClientBase): Promise<void> => {
  await client.query(EMPTY_ALL);
};
