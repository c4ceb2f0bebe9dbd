import type { BlockRef, ForgerList } from '@roundhouse/chain';
import { forgerListOf, FORGING_ROUNDS, hexText, keyOfNumber } from '@roundhouse/entities/sql';
import { found, Reader, selectAtHead } from './at-head.js';

interface ForgedBlock {
  readonly height: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly publicKey: string;
}

interface RoundRecord extends Omit<ForgerList, 'weights'> {
  /** Height → seconds since the epoch, for the requested heights. */
  readonly timestamps: Readonly<Record<number, number>>;
}

export interface RoundState extends RoundRecord {
  /** The round's blocks up to the head. */
  readonly blocks: readonly ForgedBlock[];
  /** Public key → name, of all forgers. */
  readonly usernames: Readonly<Record<string, string>>;
  /** The newest event at the head. */
  readonly lastEventId: string | null;
}

type Numbered<T> = T & { readonly round: number | null };

/** SQL of a `RoundRecord`; the heights are a parameter. */
const columnsWith = (heights: string): string => `${forgerListOf('r')}, r.round,
  (SELECT coalesce(json_object_agg(b.height, b."timestamp"), '{}') FROM blocks b WHERE b.height = ANY (${heights}::integer[])) AS timestamps`;

const JOIN_ROUND = `LEFT JOIN ${FORGING_ROUNDS} r ON r.round = $3`;

/** $1, $2: the head; $3: the round; $4: heights whose timestamps are wanted. */
const SELECT_ROUND = selectAtHead('round', columnsWith('$4'), JOIN_ROUND);

/** $1, $2: the head; $3: the round; $4: its first height; $5: heights whose timestamps are wanted. */
const SELECT_STATE = selectAtHead(
  'status-round',
  `${columnsWith('$5')}, forged.blocks,
  (SELECT coalesce(json_object_agg(${hexText('d.public_key')}, d.username), '{}') FROM delegates d
   WHERE d.number = ANY (r.forging_order) OR d.public_key = ANY (forged.generators)) AS usernames,
  (SELECT max(sequence)::text FROM events) AS "lastEventId"`,
  `${JOIN_ROUND}
CROSS JOIN LATERAL (
  SELECT array_agg(b.key) AS generators,
    coalesce(json_agg(json_build_object('height', b.height, 'timestamp', b."timestamp", 'publicKey', ${hexText('b.key')})), '[]') AS blocks
  FROM (SELECT height, "timestamp", ${keyOfNumber('generator')} AS key FROM blocks WHERE height >= $4 OFFSET 0) b
) forged`,
);

/** Rounds, each in one snapshot with what belongs to it. Undefined if there is no such round. */
export class RoundsReader extends Reader {
  async findRound(at: BlockRef, round: number, heights: readonly number[]) {
    return found(await this.rows<Numbered<RoundRecord>>(at, SELECT_ROUND, round, heights), 'round').at(0);
  }

  async findState(at: BlockRef, round: number, firstHeight: number, heights: readonly number[]) {
    const rows = await this.rows<Numbered<RoundState>>(at, SELECT_STATE, round, firstHeight, heights);
    return found(rows, 'round').at(0);
  }
}
