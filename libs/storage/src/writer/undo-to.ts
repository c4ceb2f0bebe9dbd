import { LASTING, type BlockRef } from '@roundhouse/chain';
import {
  addresses,
  bytesOf,
  certificatePages,
  certificates,
  changingColumns,
  dailyFees,
  keyOf,
  publicKeys,
  UNDO_TABLES,
  type Table,
  type UndoTable,
} from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { assignments, blockIdText, isSame, namesOf } from '@roundhouse/entities/sql';
import { dailyFeesIn, dayOf } from '../daily-fees-in.js';
import { paymentsIn } from '../payments-in.js';
import { HeadMovedError, notifyHead, tellHead } from './move-head.js';
import { tellFork } from './rare-events.js';
import { inTransaction } from './in-transaction.js';
import { readUndone } from '../webhooks/outbox.js';
import { tellWebhooks } from '../webhooks/tell-webhooks.js';
import { readUndoReach, UndoOutOfReachError } from './undo-reach.js';

/** A row's oldest image above the target ($1) is the row as it was at the target. */
const restore = ({ name, of }: UndoTable): string[] => {
  const [table, key, changing] = [of.name, keyOf(of), changingColumns(of)];
  const oldest = `SELECT DISTINCT ON (${namesOf(key)}) * FROM ${name} WHERE height > $1 ORDER BY ${namesOf(key)}, height`;
  if (changing.length > 0) {
    return [
      `WITH oldest AS MATERIALIZED (${oldest}), removed AS (
         DELETE FROM ${table} USING oldest WHERE ${isSame(key, table, 'oldest')} AND NOT oldest.existed
       )
       UPDATE ${table} SET ${assignments(changing, 'oldest')}
       FROM oldest WHERE ${isSame(key, table, 'oldest')} AND oldest.existed`,
    ];
  }
  // Rows that never change are only inserted and deleted.
  return [
    `DELETE FROM ${table} USING ${name} AS undo WHERE undo.height > $1 AND ${isSame(key, table, 'undo')}`,
    `INSERT INTO ${table} (${namesOf(of.columns)})
     SELECT ${namesOf(of.columns)} FROM (${oldest}) AS oldest WHERE oldest.existed`,
  ];
};

/** The highest numbers are the newest, so the last rows are read. */
const deleteAbove = ({ name }: Table): string => `
DELETE FROM ${name} WHERE number >
  coalesce((SELECT number FROM ${name} WHERE height <= $1 ORDER BY number DESC LIMIT 1), 0)`;

/** Found by their keys: the table has no index by height. */
const DELETE_PAYMENTS = `
DELETE FROM payments p USING (${paymentsIn('t.block_height > $1')}) paid
WHERE p.recipient = paid.recipient AND p.block_height = paid.block_height AND p.sequence = paid.sequence`;

/**
 * The before-images say which rows there are, so these tables of history need no index by height. Delegates and
 * accounts that the blocks created are still there.
 */
const REMOVE_HISTORY = [
  `DELETE FROM history_balances AS history USING undo_accounts AS undo JOIN accounts USING (address)
   WHERE undo.height > $1 AND history.account = accounts.number AND history.height = undo.height`,
  `DELETE FROM history_delegates AS history USING undo_delegates AS undo JOIN delegates USING (public_key)
   WHERE undo.height > $1 AND history.delegate = delegates.number AND history.height = undo.height`,
  `DELETE FROM history_votes AS history USING undo_accounts AS undo JOIN accounts USING (address)
   WHERE undo.height > $1 AND history.account = accounts.number AND history.from_height = undo.height`,
  `UPDATE history_votes AS history SET until_height = ${LASTING} FROM undo_accounts AS undo JOIN accounts USING (address)
   WHERE undo.height > $1 AND history.account = accounts.number AND history.until_height = undo.height`,
];

/** $1: the target, on whose day some of the transactions may be left. */
const DAY = `(SELECT ${dayOf('"timestamp"')} FROM blocks WHERE height = $1)`;
const FEES_LEFT = dailyFeesIn(
  `t.block_height BETWEEN (SELECT min(first_height) FROM daily_fees WHERE day = ${DAY}) AND $1 AND ${dayOf('b."timestamp"')} = ${DAY}`,
);
const RESTORE_FEES = [
  `DELETE FROM daily_fees WHERE first_height > $1`,
  `UPDATE daily_fees SET ${assignments(changingColumns(dailyFees), 'kept')}
   FROM (${FEES_LEFT}) AS kept WHERE ${isSame(keyOf(dailyFees), 'daily_fees', 'kept')}`,
];

const RESTORE = [
  ...REMOVE_HISTORY,
  ...UNDO_TABLES.flatMap(restore),
  ...['rounds', 'round_candidates'].map((name) => `DELETE FROM ${name} WHERE first_height > $1 + 1`),
  ...['claim_drifts', 'round_revisions', 'misplaced_blocks', 'rankings'].map(
    (name) => `DELETE FROM ${name} WHERE height > $1`,
  ),
  ...['history_weights', 'history_rankings', 'round_digests'].map(
    (name) => `DELETE FROM ${name} WHERE height > $1`,
  ),
  DELETE_PAYMENTS,
  `DELETE FROM transactions WHERE block_height > $1`,
  ...RESTORE_FEES,
  ...[publicKeys, addresses].map(deleteAbove),
  ...UNDO_TABLES.map(({ name }) => `DELETE FROM ${name} WHERE height > $1`),
  `DELETE FROM state_sums WHERE height > $1`,
  `DELETE FROM staged_ranges WHERE to_height > $1`,
];

/** After the blocks: deleting one waits for who makes its certificate. */
const REMOVE_CERTIFICATES = [certificates, certificatePages].map(
  ({ name }) => `DELETE FROM ${name} WHERE height > $1`,
);

const MOVE_HEAD_BACK = `
WITH removed AS (DELETE FROM blocks WHERE height > $1 RETURNING reward)
UPDATE head SET height = target.height, block_id = target.id, "timestamp" = target."timestamp", indexed_at = now(),
  revision = revision + 1, claims_height = least(claims_height, target.height),
  supply = supply - (SELECT coalesce(sum(reward), 0) FROM removed)::bigint,
  delegate_count = (SELECT count(*) FROM delegates)
FROM blocks AS target
WHERE head.id = 1 AND head.height = $2 AND head.block_id = $3 AND target.height = $1
RETURNING head.height, ${blockIdText('head.block_id')} AS id`;

/**
 * Undoes every block above `height` in one transaction: restores the rows of that height and moves the head back from
 * exactly `from`. The genesis block stays. Throws `UndoOutOfReachError` if before-images do not reach that far down,
 * and `HeadMovedError` if another writer moved the head; nothing is changed then.
 */
export const undoTo = (client: ClientBase, from: BlockRef, height: number): Promise<BlockRef> =>
  inTransaction(client, async () => {
    const reach = await readUndoReach(client);
    if (reach && height < reach.lowest) throw new UndoOutOfReachError(height, reach);
    const undone = await readUndone(client, height);
    for (const statement of RESTORE) await client.query(statement, [height]);
    const { rows } = await client.query<BlockRef>(MOVE_HEAD_BACK, [
      height,
      from.height,
      bytesOf('block id', from.id),
    ]);
    const common = rows[0];
    if (common === undefined) throw new HeadMovedError(from);
    for (const statement of REMOVE_CERTIFICATES) await client.query(statement, [height]);
    await tellFork(client, common, from);
    await tellHead(client, common.height, 0);
    await tellWebhooks(client, undone);
    await notifyHead(client, common);
    return common;
  });
