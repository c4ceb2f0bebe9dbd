import { readMissingIndexes } from '@roundhouse/entities';
import type pg from 'pg';

const DROP = `DROP INDEX ix_accounts__balance, ix_blocks__generator, ix_transactions__sender, ix_transactions__recipient,
  ix_transactions__type, ix_accounts__attributes, ix_transactions__unlocked, ix_accounts__voters`;

/** Brings an index into the state of a first sync. Throws if others are missing than these. */
export const dropListIndexes = async (client: pg.ClientBase): Promise<void> => {
  await client.query(DROP);
  const missing = await readMissingIndexes(client);
  if (missing.some((name) => !DROP.includes(name)) || missing.length !== DROP.split(',').length)
    throw new Error(`The indexes of lists are others: ${missing.join(', ')}.`);
};
