import type { BlockRef, ForgerList } from '@roundhouse/chain';
import { forgerListOf, FORGING_ROUNDS } from '@roundhouse/entities/sql';
import { atHead, rowsAtHead } from './at-head.js';
import type { NamedQuery, ReaderPool } from './reader-pool.js';

interface RoundRecord extends ForgerList {
  /** Height → seconds since the epoch, for the requested heights. */
  readonly timestamps: ReadonlyMap<number, number>;
}

interface RoundRow extends ForgerList {
  /** Null if there is no such round. */
  readonly round: number | null;
  readonly timestamps: TimestampsJson | null;
}

/** The timestamps of blocks, by height. */
export type TimestampsJson = Readonly<Record<string, number>>;

/** SQL of `TimestampsJson`, for the heights in a parameter. */
export const timestampsOf = (heights: string): string =>
  `(SELECT json_object_agg(b.height, b."timestamp") FROM blocks b WHERE b.height = ANY (${heights}::integer[]))`;

export const byHeight = (timestamps: TimestampsJson | null): Map<number, number> =>
  new Map(Object.entries(timestamps ?? {}).map(([height, timestamp]) => [Number(height), timestamp]));

/** $1, $2: the head; $3: the round; $4: heights whose timestamps are wanted. */
const SELECT_ROUND: NamedQuery = {
  name: 'round',
  text: atHead(
    `${forgerListOf('r')}, r.round, ${timestampsOf('$4')} AS timestamps`,
    `LEFT JOIN ${FORGING_ROUNDS} r ON r.round = $3`,
  ),
};

export class RoundsReader {
  constructor(private readonly pool: ReaderPool) {}

  /** The round and the timestamps of blocks, in one snapshot. Throws `HeadPassedError`. */
  async findRound(at: BlockRef, round: number, heights: readonly number[]): Promise<RoundRecord | null> {
    const [row] = await rowsAtHead<RoundRow>(this.pool, at, SELECT_ROUND, [round, heights]);
    if (row?.round === null || row === undefined) return null;
    const { forgingOrder, firstSlot, forgottenClaims } = row;
    return { forgingOrder, firstSlot, forgottenClaims, timestamps: byHeight(row.timestamps) };
  }
}
