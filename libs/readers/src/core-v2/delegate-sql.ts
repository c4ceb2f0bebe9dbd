import { blockIdText } from '@roundhouse/entities/sql';

/** Delegates `d` with their ranks, by which a restarted node counts them: resigned ones have none. */
export const RANKED = `(SELECT d.*, CASE WHEN NOT d.is_resigned
  THEN row_number() OVER (PARTITION BY d.is_resigned ORDER BY d.weight DESC, d.public_key) END AS rank FROM delegates d)`;

/** The rank of one delegate `d`. */
export const RANK = `CASE WHEN NOT d.is_resigned THEN (SELECT count(*) + 1 FROM delegates better
  WHERE NOT better.is_resigned AND (better.weight > d.weight OR (better.weight = d.weight AND better.public_key < d.public_key))) END`;

/** Joins `last`, the block that the delegate `d` forged last. */
export const LAST_BLOCK = `LEFT JOIN LATERAL (
  SELECT b.height, b.id, b."timestamp" FROM blocks b
  WHERE b.generator = (SELECT number FROM public_keys WHERE value = d.public_key)
  ORDER BY (b.height >> 10) DESC, b.height DESC LIMIT 1) last ON d.produced_blocks > 0`;

export const LAST_ID = blockIdText('last.id');
