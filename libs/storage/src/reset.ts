import { NO_BLOCK_ID, type BlockRef } from '@roundhouse/chain';
import {
  LEDGER_TABLES,
  events,
  TABLES,
  webhookEvents,
  webhooks,
  type Table,
} from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { blockIdText } from '@roundhouse/entities/sql';
import { inTransaction } from './writer/in-transaction.js';
import { tellFork } from './writer/rare-events.js';

/** What clients have been told, and are to be told. */
const KEPT: readonly Table[] = [events, webhooks, webhookEvents];

const EMPTY_ALL = `TRUNCATE ${[
  ...TABLES.filter((table) => !KEPT.includes(table)).map(({ name }) => name),
  ...LEDGER_TABLES.map(({ name }) => `checkpoint.${name}`),
  'checkpoint.proof',
  'checkpoint.last_verification',
].join(', ')}`;

/** An index of the same chain will have the blocks up to the head again. */
const NOTE_TOLD = `
UPDATE webhooks SET told_nethash = network.nethash,
  told_height = CASE WHEN told_nethash = network.nethash THEN greatest(told_height, head.height) ELSE head.height END
FROM network, head`;

/** Empties every table of the index and the checkpoint, except the events, one of which tells clients that all blocks are undone, and the webhooks. */
export const resetIndex = (client: ClientBase): Promise<void> =>
  inTransaction(client, async () => {
    const { rows } = await client.query<BlockRef>(
      `SELECT height, ${blockIdText('block_id')} AS id FROM head`,
    );
    await client.query(NOTE_TOLD);
    await client.query(EMPTY_ALL);
    const [head] = rows;
    if (head) await tellFork(client, { height: 0, id: NO_BLOCK_ID }, head);
  });
