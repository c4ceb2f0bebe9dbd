import type { Queryable } from '../queryable.js';

const DROP_STAGED = `DELETE FROM staged_ranges WHERE from_height <= $1 AND to_height >= $1`;

/** Removes every staged range that holds `height`. */
export const dropStagedAt = async (db: Queryable, height: number): Promise<void> => {
  await db.query(DROP_STAGED, [height]);
};
