import type { BlockRef } from '@roundhouse/chain';
import { blockIdText } from '@roundhouse/entities/sql';
import type { Queryable } from '../queryable.js';

/** Where the chain ends, as an indexer with `FINAL_HEIGHT` was told. */
export interface ChainEnd {
  readonly height: number;
  /** The block there; null until the index has it for good. From then on it needs no source. */
  readonly id: string | null;
  /** When all blocks were verified; null until then. From then on no answer changes. */
  readonly provenAt: Date | null;
  /** Why it is not settled or proven. */
  readonly problem: string | null;
}

/** An index that was rolled back is not at its end, whatever the row says. */
const IS_THERE = 'head.height = network.final_height AND head.block_id = network.final_id';

const SELECT_END = `
SELECT final_height AS height, CASE WHEN ${IS_THERE} THEN ${blockIdText('final_id')} END AS id,
  CASE WHEN ${IS_THERE} THEN (extract(epoch FROM proven_at) * 1000)::float8 END AS proven_ms, end_problem AS problem
FROM network LEFT JOIN head ON true WHERE final_height IS NOT NULL`;

/** What is known of the same end stays. */
const UPDATE_END = `
UPDATE network SET final_height = $1, final_id = NULL, proven_at = NULL, end_problem = NULL
WHERE final_height IS DISTINCT FROM $1 OR (final_id IS NOT NULL AND NOT EXISTS (SELECT FROM head WHERE ${IS_THERE}))`;

const SETTLE = `
UPDATE network SET final_id = head.block_id, proven_at = NULL, end_problem = NULL
FROM head WHERE final_height = $1 AND head.height = $1 AND ${blockIdText('head.block_id')} = $2`;

const RECORD_PROOF = `
UPDATE network SET proven_at = now(), end_problem = NULL FROM head WHERE ${IS_THERE} AND final_height = $1`;

const NOTE_PROBLEM = `
UPDATE network SET end_problem = $2 WHERE final_height = $1 AND end_problem IS DISTINCT FROM $2`;

/** Null if the chain lives. */
export const readChainEnd = async (db: Queryable): Promise<ChainEnd | null> => {
  const { rows } = await db.query<Omit<ChainEnd, 'provenAt'> & { proven_ms: number | null }>(SELECT_END);
  const [row] = rows;
  if (row === undefined) return null;
  const { proven_ms, ...end } = row;
  return { ...end, provenAt: proven_ms === null ? null : new Date(proven_ms) };
};

/** Says where the chain ends; null if it lives. */
export const writeChainEnd = async (db: Queryable, height: number | null): Promise<void> => {
  await db.query(UPDATE_END, [height]);
};

/** Makes the head the end of the chain for good. False if the head is another block meanwhile. */
export const settleChainEnd = async (db: Queryable, { height, id }: BlockRef): Promise<boolean> =>
  (await db.query(SETTLE, [height, id])).rowCount === 1;

/** The index up to its end is what its blocks determine. */
export const recordEndProof = async (db: Queryable, height: number): Promise<void> => {
  await db.query(RECORD_PROOF, [height]);
};

export const noteEndProblem = async (
  db: Queryable,
  height: number,
  problem: string | null,
): Promise<void> => {
  await db.query(NOTE_PROBLEM, [height, problem]);
};
