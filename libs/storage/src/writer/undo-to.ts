import type { BlockRef } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { HeadMovedError } from './head-moved.error.js';
import { inTransaction } from './in-transaction.js';
import { NOTIFY_HEAD } from './queries.js';
import { tellFork, tellHead } from './tell-events.js';
import { UndoOutOfReachError } from './undo-out-of-reach.error.js';

const SELECT_REACH = `SELECT min(height) - 1 AS lowest FROM undo_accounts`;

/** Each row's oldest image above the target is how the row was there. */
const RESTORE = [
  `WITH oldest AS MATERIALIZED (
     SELECT DISTINCT ON (address) * FROM undo_accounts WHERE height > $1 ORDER BY address, height
   ), removed AS (
     DELETE FROM accounts USING oldest WHERE accounts.address = oldest.address AND NOT oldest.existed
   )
   UPDATE accounts SET public_key = oldest.public_key, balance = oldest.balance, locked = oldest.locked, vote = oldest.vote
   FROM oldest WHERE accounts.address = oldest.address AND oldest.existed`,
  `WITH oldest AS MATERIALIZED (
     SELECT DISTINCT ON (public_key) * FROM undo_delegates WHERE height > $1 ORDER BY public_key, height
   ), removed AS (
     DELETE FROM delegates USING oldest WHERE delegates.public_key = oldest.public_key AND NOT oldest.existed
   )
   UPDATE delegates SET weight = oldest.weight, is_resigned = oldest.is_resigned,
     produced_blocks = oldest.produced_blocks, missed_blocks = oldest.missed_blocks,
     forged_fees = oldest.forged_fees, forged_rewards = oldest.forged_rewards
   FROM oldest WHERE delegates.public_key = oldest.public_key AND oldest.existed`,
  `DELETE FROM locks USING undo_locks AS undo WHERE undo.height > $1 AND locks.transaction_id = undo.transaction_id`,
  `INSERT INTO locks (transaction_id, sender_address, recipient_address, amount)
   SELECT transaction_id, sender_address, recipient_address, amount FROM (
     SELECT DISTINCT ON (transaction_id) * FROM undo_locks WHERE height > $1 ORDER BY transaction_id, height
   ) AS oldest WHERE oldest.existed`,
  `DELETE FROM rounds WHERE first_height > $1 + 1`,
  `DELETE FROM round_digests WHERE height > $1`,
  `DELETE FROM transactions WHERE block_height > $1`,
  `DELETE FROM undo_accounts WHERE height > $1`,
  `DELETE FROM undo_delegates WHERE height > $1`,
  `DELETE FROM undo_locks WHERE height > $1`,
  `DELETE FROM state_sums WHERE height > $1`,
  `DELETE FROM staged_ranges WHERE to_height > $1`,
] as const;

const MOVE_HEAD_BACK = `
WITH removed AS (DELETE FROM blocks WHERE height > $1 RETURNING reward)
UPDATE head SET height = target.height, block_id = target.id, "timestamp" = target."timestamp", indexed_at = now(),
  revision = revision + 1,
  supply = supply - (SELECT coalesce(sum(reward), 0) FROM removed)::bigint,
  delegate_count = (SELECT count(*) FROM delegates)
FROM blocks AS target
WHERE head.id = 1 AND head.height = $2 AND head.block_id = $3 AND target.height = $1
RETURNING head.height, head.block_id`;

/**
 * Undoes every block above `height` in one transaction: restores the before-images, oldest first counting, and moves
 * the head back from exactly `from`. The genesis block stays. Throws `UndoOutOfReachError` where before-images are
 * no longer kept that far down, and `HeadMovedError` where another writer was there; nothing is changed then.
 */
export const undoTo = (client: ClientBase, from: BlockRef, height: number): Promise<BlockRef> =>
  inTransaction(client, async () => {
    const { rows } = await client.query<{ lowest: number | null }>(SELECT_REACH);
    const lowest = rows[0]?.lowest ?? from.height;
    const reach = Math.max(lowest, 1);
    if (height < reach) throw new UndoOutOfReachError(from.height, height, reach);
    for (const statement of RESTORE) await client.query(statement, [height]);
    const moved = await client.query<{ height: number; block_id: string }>(MOVE_HEAD_BACK, [
      height,
      from.height,
      from.id,
    ]);
    const head = moved.rows[0];
    if (head === undefined) throw new HeadMovedError(from);
    const common = { height: head.height, id: head.block_id };
    await tellFork(client, common, from);
    await tellHead(client, common.height, 0, undefined);
    await client.query(NOTIFY_HEAD, [`${common.height}:${common.id}`]);
    return common;
  });
