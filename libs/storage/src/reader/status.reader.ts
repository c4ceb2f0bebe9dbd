import type { BlockRef } from '@roundhouse/chain';
import {
  SELECT_STATUS_BLOCKS,
  SELECT_STATUS_DELEGATES,
  SELECT_STATUS_ROUND,
} from './queries/status.queries.js';
import type { ReaderPool } from './reader-pool.js';
import { jsonAtHead, rowsAtHead } from './rows-at-head.js';

interface ForgedBlock {
  readonly height: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly publicKey: string;
}

export interface RoundState {
  /** Public keys: the forger of slot s is `forgingOrder[s mod length]`. */
  readonly forgingOrder: readonly string[];
  /** Those of the round up to the head. */
  readonly blocks: readonly ForgedBlock[];
  /** Height → seconds since the epoch, for the heights that were asked. */
  readonly timestamps: ReadonlyMap<number, number>;
  /** Public key → name, of all forgers. */
  readonly usernames: ReadonlyMap<string, string>;
  /** The newest event that was told at the head. */
  readonly lastEventId: string | null;
}

interface RoundRow {
  readonly forging_order: string[] | null;
  readonly blocks: ForgedBlock[] | null;
  readonly timestamps: Readonly<Record<string, number>> | null;
  readonly usernames: Readonly<Record<string, string>> | null;
  readonly last_event_id: string | null;
}

/** What /status.json shows of one head; lists come as JSON, as `DelegatesReader` has it. Every method throws `HeadPassedError`. */
export class StatusReader {
  constructor(private readonly pool: ReaderPool) {}

  /** All, by rank; active are those that forge in `round`. */
  listDelegates(at: BlockRef, round: number): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_STATUS_DELEGATES, [round]);
  }

  /** From the head down to `lowest`. */
  listBlocks(at: BlockRef, lowest: number): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_STATUS_BLOCKS, [lowest]);
  }

  async findRound(
    at: BlockRef,
    round: number,
    firstHeight: number,
    heights: readonly number[],
  ): Promise<RoundState | null> {
    const values = [round, firstHeight, heights];
    const [row] = await rowsAtHead<RoundRow>(this.pool, at, SELECT_STATUS_ROUND, values);
    if (!row?.forging_order) return null;
    const timestamps = Object.entries(row.timestamps ?? {});
    return {
      forgingOrder: row.forging_order,
      blocks: row.blocks ?? [],
      timestamps: new Map(timestamps.map(([height, timestamp]) => [Number(height), timestamp])),
      usernames: new Map(Object.entries(row.usernames ?? {})),
      lastEventId: row.last_event_id,
    };
  }
}
