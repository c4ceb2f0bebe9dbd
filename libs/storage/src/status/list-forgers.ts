import { forgerKeys } from '@roundhouse/entities/sql';
import type { Queryable } from '../queryable.js';

const SELECT_FORGERS = `
SELECT ${forgerKeys('listed.forging_order')} AS forging_order FROM rounds LEFT JOIN LATERAL (
  SELECT rounds.forging_order UNION ALL SELECT forging_order FROM round_candidates WHERE round_candidates.round = rounds.round
) AS listed ON true
WHERE first_height = (SELECT max(first_height) FROM rounds WHERE first_height <= $1)`;

/**
 * The keys of the delegates that may forge the block at `height`, by any list of forgers of its round; `height` is at
 * most one above the head. Empty if no forgers are fixed.
 */
export const listForgers = async (db: Queryable, height: number): Promise<readonly string[]> => {
  const { rows } = await db.query<{ forging_order: string[] }>(SELECT_FORGERS, [height]);
  return rows.flatMap((list) => list.forging_order);
};
