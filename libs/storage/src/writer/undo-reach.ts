import type { BlockRef } from '@roundhouse/chain';
import { blockIdText, LOWEST_HEAD } from '@roundhouse/entities/sql';
import type { Queryable } from '../queryable.js';

export interface UndoReach {
  readonly head: BlockRef;
  /** The lowest height that can become the head again; the head's own height if there are no before-images. */
  readonly lowest: number;
  /** If so, clients were told that answers about `lowest` and lower heights never change. */
  readonly hasHistory: boolean;
}

const SELECT_UNDO_REACH = `SELECT height, ${blockIdText('block_id')} AS id, ${LOWEST_HEAD} AS lowest, has_history AS "hasHistory" FROM head`;

/** How far `undoTo` can go back; null before the genesis block. */
export const readUndoReach = async (db: Queryable): Promise<UndoReach | null> => {
  const { rows } = await db.query<BlockRef & Omit<UndoReach, 'head'>>(SELECT_UNDO_REACH);
  const [row] = rows;
  if (!row) return null;
  const { height, id, ...reach } = row;
  return { head: { height, id }, ...reach };
};

/** What an operator does so that a height below `lowest` can become the head again; all indexers are stopped. */
export const adviceToReach = (height: number, { head, lowest, hasHistory }: UndoReach): string => {
  const depth = `UNDO_DEPTH=${head.height - height} or more`;
  const rebuild = `run "indexer rebuild" with ${depth}, which makes before-images from the stored blocks`;
  if (!hasHistory) return rebuild;
  return (
    `drop the history, because clients were told that it never changes up to height ${lowest}: ` +
    `${rebuild}, and with HISTORY=off. Once the index is on the right chain, run it with HISTORY=full and empty the caches of the API`
  );
};

/** The chains diverge below the lowest before-image. `rebuild` can make more before-images from the stored blocks. */
export class UndoOutOfReachError extends Error {
  readonly code = 'UNDO_OUT_OF_REACH';

  constructor(height: number, reach: UndoReach) {
    const { head, lowest } = reach;
    super(
      `To go back to height ${height}, ${head.height - height} blocks would have to be undone, but before-images are kept for ` +
        `${head.height - lowest}, down to height ${lowest}. Nothing is changed. Check that the source is the right chain; if it is, ` +
        `stop all indexers, ${adviceToReach(height, reach)}. Start them with the same UNDO_DEPTH: only the blocks above ` +
        `height ${height} are fetched again.`,
    );
    this.name = 'UndoOutOfReachError';
  }
}
