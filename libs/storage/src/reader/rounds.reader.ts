import type { BlockRef } from '@roundhouse/chain';
import { SELECT_ROUND } from './queries/round.queries.js';
import type { ReaderPool } from './reader-pool.js';
import { rowsAtHead } from './rows-at-head.js';

interface RoundRecord {
  /** Public keys: the forger of slot s is `forgingOrder[s mod length]`. */
  readonly forgingOrder: readonly string[];
  /** Height → seconds since the epoch, for the heights that were asked. */
  readonly timestamps: ReadonlyMap<number, number>;
}

interface RoundRow {
  readonly forging_order: string[] | null;
  readonly timestamps: Readonly<Record<string, number>> | null;
}

export class RoundsReader {
  constructor(private readonly pool: ReaderPool) {}

  /** The round and, of the same snapshot, the timestamps of blocks. Throws `HeadPassedError`. */
  async findRound(at: BlockRef, round: number, heights: readonly number[]): Promise<RoundRecord | null> {
    const [row] = await rowsAtHead<RoundRow>(this.pool, at, SELECT_ROUND, [round, heights]);
    if (!row?.forging_order) return null;
    const timestamps = Object.entries(row.timestamps ?? {});
    return {
      forgingOrder: row.forging_order,
      timestamps: new Map(timestamps.map(([height, timestamp]) => [Number(height), timestamp])),
    };
  }
}
