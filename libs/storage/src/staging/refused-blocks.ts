import { archiveLine } from '@roundhouse/blocks';
import { sha256As, type Block } from '@roundhouse/chain';
import type { Queryable } from '../queryable.js';

/** A block that cannot be right. */
interface Refusal {
  readonly height: number;
  /** The source that returned it. */
  readonly source: string;
  readonly reason: string;
  /** The block's `contentsHash` if it passed the source's checks; null if those refused it. */
  readonly contents: string | null;
}

/** The next block of the index, which was refused, and how often. */
export interface RefusedBlock {
  readonly height: number;
  readonly source: string;
  /** A sentence that names the height. A reason from the ledger is not replaced by one from the source's checks. */
  readonly reason: string;
  readonly refusals: number;
  /** Since the last refusal. */
  readonly ageMs: number;
}

/** Contents that were refused at a height. */
export interface RefusedContents {
  readonly height: number;
  readonly contents: readonly string[];
}

/** How long a refusal counts. Then the same block is tried again: the cause may have been fixed. */
const TRUSTED_AGAIN_AFTER = '10 minutes';

/** If the sources return nothing but refused contents, the same block is tried again after this many refusals in a row. */
const TRUSTED_AGAIN_REFUSALS = 10;

const MOST_CONTENTS = 16;

/** A staged block is recorded under the source that fetched it, perhaps in another process. */
const REFUSE_BLOCK = `
WITH dropped AS (
  DELETE FROM staged_ranges WHERE $4::text IS NOT NULL AND from_height <= $1 AND to_height >= $1 RETURNING source
)
INSERT INTO refused_blocks AS known (height, source, reason, refusals, contents)
SELECT $1::integer, coalesce((SELECT max(source) FROM dropped), $2::text), $3::text, 1, array_remove(ARRAY[$4::text], NULL)
ON CONFLICT (height) DO UPDATE SET source = excluded.source, refusals = known.refusals + 1,
  reason = CASE WHEN excluded.contents = '{}' AND known.contents <> '{}' THEN known.reason ELSE excluded.reason END,
  contents = CASE WHEN excluded.contents = '{}' AND known.refusals >= ${TRUSTED_AGAIN_REFUSALS} THEN '{}'
    ELSE (excluded.contents || array_remove(known.contents, excluded.contents[1]))[1:${MOST_CONTENTS}] END,
  refused_at = now()
RETURNING height, source, reason, refusals, 0 AS "ageMs"`;

const SELECT_REFUSED = `
SELECT height, source, reason, refusals,
  greatest(extract(epoch FROM now() - refused_at) * 1000, 0)::float8 AS "ageMs"
FROM refused_blocks WHERE height = coalesce((SELECT height FROM head), 0) + 1`;

const SELECT_CONTENTS = `
SELECT height, contents FROM refused_blocks
WHERE contents <> '{}' AND refused_at > now() - interval '${TRUSTED_AGAIN_AFTER}'`;

const FORGET_PASSED = `
DELETE FROM refused_blocks WHERE height <= (SELECT height FROM head) AND refused_at < now() - interval '${TRUSTED_AGAIN_AFTER}'`;

/** PostgreSQL cannot store NUL. */
const storable = (text: string): string => text.replaceAll('\0', '\\0');

/** Distinguishes blocks that have the same id. */
export const contentsHash = (block: Block): string => sha256As('hex', archiveLine(block));

/** Stores a refusal and drops the staged range that holds the block; returns the height's current state. */
export const refuseBlock = async (
  db: Queryable,
  { height, source, reason, contents }: Refusal,
): Promise<RefusedBlock> => {
  const values = [height, source, storable(reason), contents];
  const { rows } = await db.query<RefusedBlock>(REFUSE_BLOCK, values);
  return rows[0]!;
};

/** The refusal of the next block; null if there is none. */
export const readRefusedBlock = async (db: Queryable): Promise<RefusedBlock | null> =>
  (await db.query<RefusedBlock>(SELECT_REFUSED)).rows[0] ?? null;

/** The contents that are not accepted from any source for now. */
export const listRefusedContents = async (db: Queryable): Promise<RefusedContents[]> => {
  await db.query(FORGET_PASSED);
  return (await db.query<RefusedContents>(SELECT_CONTENTS)).rows;
};

/** Gives every block another chance: a process with other settings, or of another version, may accept it. */
export const forgetRefusals = async (db: Queryable): Promise<void> => {
  await db.query('DELETE FROM refused_blocks');
};
