import { DAY_SECONDS } from '@roundhouse/chain';
import { queryRows } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { findHeightOfTime } from '../statement.js';

/** How the blocks are divided: by days (UTC) of their times, or by heights. */
export type Partitioning = 'day' | 'heights';

/** Blocks that are exported together. */
export interface Partition {
  /** As a folder's name: `day=2026-01-31`, or `from_height=100001`. */
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

/** Of a partition, but for the last one of a chain that has ended. */
export const PARTITION_HEIGHTS = 100_000;

const SELECT_TIME = `SELECT "timestamp" FROM blocks WHERE height = $1`;

interface Divided {
  readonly by: Partitioning;
  /** The chain's, in seconds since 1970. */
  readonly epoch: number;
  /** The newest block that can no longer be undone. */
  readonly final: number;
  /** Whether no block follows that. */
  readonly hasEnded: boolean;
}

/** The partition that begins with the block `first`; null if it is not complete, or its last block can be undone. */
export const partitionFrom = async (
  client: ClientBase,
  first: number,
  { by, epoch, final, hasEnded }: Divided,
): Promise<Partition | null> => {
  if (first > final) return null;
  if (by === 'heights') {
    const last = Math.min(first + PARTITION_HEIGHTS - 1, hasEnded ? final : Infinity);
    return last > final ? null : { name: `from_height=${first}`, first, last };
  }
  const [block] = await queryRows<{ timestamp: number }>(client, SELECT_TIME, [first]);
  const day = Math.floor((block!.timestamp + epoch) / DAY_SECONDS);
  const next = await findHeightOfTime(client, final, (day + 1) * DAY_SECONDS - epoch);
  // The day ends when a later one has a block: while that can be undone, a block of this day may replace it.
  if (next > final && !hasEnded) return null;
  const date = new Date(day * DAY_SECONDS * 1_000).toISOString().slice(0, 10);
  return { name: `day=${date}`, first, last: next - 1 };
};
