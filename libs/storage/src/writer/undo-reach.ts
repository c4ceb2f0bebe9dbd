import type { BlockRef } from '@roundhouse/chain';
import type { ClientBase } from 'pg';

export interface UndoReach {
  readonly head: BlockRef;
  /** The lowest height that can be the head again; the head's own where no before-images are kept. */
  readonly lowest: number;
}

// Every block touches its generator's account, so this table alone tells how far down all of them reach.
const SELECT_UNDO_REACH = `
SELECT height, block_id, greatest(coalesce((SELECT min(height) - 1 FROM undo_accounts), height), 1) AS lowest FROM head`;

/** How far `undoTo` can go back; null before the genesis block. */
export const readUndoReach = async (client: ClientBase): Promise<UndoReach | null> => {
  const { rows } = await client.query<{ height: number; block_id: string; lowest: number }>(
    SELECT_UNDO_REACH,
  );
  const row = rows[0];
  return row ? { head: { height: row.height, id: row.block_id }, lowest: row.lowest } : null;
};
