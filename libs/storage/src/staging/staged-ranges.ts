import { archiveLine, decodeBlock } from '@roundhouse/blocks';
import { ShapeError, type Block } from '@roundhouse/chain';
import type { Queryable } from '../queryable.js';
import { dropStagedAt } from './drop-staged.js';

/** A row of `staged_ranges` without its blocks. */
export interface StagedRange {
  readonly from: number;
  readonly to: number;
  readonly sizeBytes: number;
}

/**
 * A range that ends at or below the head is late and is not stored. Of two that begin at the same height, the longer
 * one is kept.
 */
const STAGE_RANGE = `
INSERT INTO staged_ranges (from_height, to_height, size_bytes, blocks, source)
SELECT $1::integer, $2::integer, $3::integer, $4::bytea, $5::text
WHERE NOT EXISTS (SELECT FROM head WHERE height >= $2::integer)
ON CONFLICT (from_height) DO UPDATE
  SET to_height = excluded.to_height, size_bytes = excluded.size_bytes, blocks = excluded.blocks,
    source = excluded.source, staged_at = now()
  WHERE staged_ranges.to_height < excluded.to_height`;

const READ_STAGED = `
SELECT from_height AS "from", blocks FROM staged_ranges WHERE from_height <= $1 AND to_height >= $1 ORDER BY from_height DESC LIMIT 1`;

const LIST_STAGED = `
SELECT from_height AS "from", to_height AS "to", size_bytes AS "sizeBytes" FROM staged_ranges ORDER BY from_height`;

const DROP_APPLIED = `
DELETE FROM staged_ranges USING head WHERE staged_ranges.to_height <= head.height`;

/**
 * Stages checked blocks (ascending, without gaps, at least one) as one row of archive lines, with the name of their
 * source. Staging them twice changes nothing. Returns their size in bytes.
 */
export const stageBlocks = async (
  db: Queryable,
  blocks: readonly Block[],
  source: string | null = null,
): Promise<number> => {
  const first = blocks[0];
  const last = blocks.at(-1);
  if (first === undefined || last === undefined)
    throw new RangeError('A staged range holds at least one block.');
  const bytes = Buffer.from(blocks.map(archiveLine).join('\n'));
  await db.query(STAGE_RANGE, [first.height, last.height, bytes.length, bytes, source]);
  return bytes.length;
};

/** None if a line is in another form. */
const blocksIn = (lines: string[]): readonly Block[] => {
  try {
    return lines.map((line) => decodeBlock(JSON.parse(line)));
  } catch (error) {
    if (error instanceof ShapeError || error instanceof SyntaxError) return [];
    throw error;
  }
};

/**
 * The staged blocks from `height` to the end of their range; null if no range holds `height`. If a program of another
 * version wrote the range in another form, it is dropped and will be fetched again.
 */
export const readStagedBlocks = async (db: Queryable, height: number): Promise<readonly Block[] | null> => {
  const { rows } = await db.query<{ from: number; blocks: Buffer }>(READ_STAGED, [height]);
  const row = rows[0];
  if (row === undefined) return null;
  const lines = row.blocks.toString().split('\n');
  const blocks = blocksIn(lines.slice(height - row.from));
  if (blocks.length > 0) return blocks;
  await dropStagedAt(db, height);
  return null;
};

/** All staged ranges, by height; ranges at or below the head are removed first. */
export const listStagedRanges = async (db: Queryable): Promise<StagedRange[]> => {
  await db.query(DROP_APPLIED);
  const { rows } = await db.query<StagedRange>(LIST_STAGED);
  return rows;
};
