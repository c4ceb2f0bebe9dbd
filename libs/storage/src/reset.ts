import { NO_BLOCK_ID } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { inTransaction } from './writer/in-transaction.js';
import { SELECT_HEAD } from './writer/queries.js';
import { tellFork } from './writer/tell-events.js';

const EMPTY_ALL = `
TRUNCATE network, head, source_status, staged_ranges, refused_blocks, blocks, transactions, accounts, delegates, locks, rounds,
  undo_accounts, undo_delegates, undo_locks, state_sums, round_digests`;

/** Empties every table of the index; the schema stays, and so do the events: clients learn that all is undone. */
export const resetIndex = (client: ClientBase): Promise<void> =>
  inTransaction(client, async () => {
    const { rows } = await client.query<{ height: number; block_id: string }>(SELECT_HEAD);
    await client.query(EMPTY_ALL);
    const [head] = rows;
    if (!head) return;
    await tellFork(client, { height: 0, id: NO_BLOCK_ID }, { height: head.height, id: head.block_id });
  });
