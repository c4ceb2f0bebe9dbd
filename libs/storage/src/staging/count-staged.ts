import type { Queryable } from '../queryable.js';

const COUNT_STAGED_BYTES = `SELECT coalesce(sum(size_bytes), 0) AS bytes FROM staged_ranges`;

/** The staged bytes that are not removed yet. */
export const countStagedBytes = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ bytes: string }>(COUNT_STAGED_BYTES);
  return Number(rows[0]!.bytes);
};
