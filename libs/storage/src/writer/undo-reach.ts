import type { BlockRef } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { blockIdText } from '../table-sql.js';

export interface UndoReach {
  readonly head: BlockRef;
  /** The lowest height that can become the head again; the head's own height if there are no before-images. */
  readonly lowest: number;
}

/** SQL of `UndoReach.lowest`. Each block touches its generator's account, so no other before-images reach further down. */
export const LOWEST_HEAD = `greatest(coalesce((SELECT min(height) - 1 FROM undo_accounts), head.height), 1)`;

const SELECT_UNDO_REACH = `SELECT height, ${blockIdText('block_id')} AS id, ${LOWEST_HEAD} AS lowest FROM head`;

/** How far `undoTo` can go back; null before the genesis block. */
export const readUndoReach = async (client: ClientBase): Promise<UndoReach | null> => {
  const { rows } = await client.query<BlockRef & { lowest: number }>(SELECT_UNDO_REACH);
  const [row] = rows;
  return row ? { head: { height: row.height, id: row.id }, lowest: row.lowest } : null;
};
