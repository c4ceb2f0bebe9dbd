import { createHash } from 'node:crypto';
import { archiveLine } from '@roundhouse/blocks';
import type { Block } from '@roundhouse/chain';
import type { ClientBase, Pool } from 'pg';

type Queryable = Pool | ClientBase;

/** A block that cannot be right. */
interface Refusal {
  readonly height: number;
  /** Who gave it. */
  readonly source: string;
  readonly reason: string;
  /** What `contentsHash` gives of it, where it passed the source's checks; null where these refused it. */
  readonly contents: string | null;
}

/** The block that the index waits for, and how often it was refused. */
export interface RefusedBlock {
  readonly height: number;
  readonly source: string;
  /** A sentence that names the height; what the checks of a source said does not replace what the ledger did. */
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

/** A refusal counts for so long: then the same block is tried again, for what refused it may have been repaired. */
const TRUSTED_AGAIN_AFTER = '10 minutes';

const MOST_CONTENTS = 16;

/** The source of staged blocks is theirs who fetched them, who may have been another process. */
const REFUSE_BLOCK = `
WITH dropped AS (
  DELETE FROM staged_ranges WHERE $4::text IS NOT NULL AND from_height <= $1 AND to_height >= $1 RETURNING source
)
INSERT INTO refused_blocks AS known (height, source, reason, refusals, contents)
SELECT $1::integer, coalesce((SELECT max(source) FROM dropped), $2::text), $3::text, 1, array_remove(ARRAY[$4::text], NULL)
ON CONFLICT (height) DO UPDATE SET source = excluded.source, refusals = known.refusals + 1,
  reason = CASE WHEN excluded.contents = '{}' AND known.contents <> '{}' THEN known.reason ELSE excluded.reason END,
  contents = (excluded.contents || array_remove(known.contents, excluded.contents[1]))[1:${MOST_CONTENTS}], refused_at = now()
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

/** Text that PostgreSQL cannot hold has no place in a reason either. */
const storable = (text: string): string => text.replaceAll('\0', '\\0');

/** Tells blocks apart that go under the same id. */
export const contentsHash = (block: Block): string =>
  createHash('sha256').update(archiveLine(block)).digest('hex');

/** Notes a refusal and drops what is staged of the block; gives how the height stands now. */
export const refuseBlock = async (
  db: Queryable,
  { height, source, reason, contents }: Refusal,
): Promise<RefusedBlock> => {
  const values = [height, source, storable(reason), contents];
  const { rows } = await db.query<RefusedBlock>(REFUSE_BLOCK, values);
  return rows[0]!;
};

/** The refusal of the very block that comes next; null where there is none. */
export const readRefusedBlock = async (db: Queryable): Promise<RefusedBlock | null> =>
  (await db.query<RefusedBlock>(SELECT_REFUSED)).rows[0] ?? null;

/** What a source is not believed for now. */
export const listRefusedContents = async (db: Queryable): Promise<RefusedContents[]> => {
  await db.query(FORGET_PASSED);
  return (await db.query<RefusedContents>(SELECT_CONTENTS)).rows;
};

/** Gives every block another chance: a process of other settings, or of another version, may take it. */
export const forgetRefusals = async (db: Queryable): Promise<void> => {
  await db.query('DELETE FROM refused_blocks');
};
