import type { BlockRef, ForgerList } from '@roundhouse/chain';
import { blocks } from '@roundhouse/entities/tables';
import { columnOf, forgerListOf, FORGING_ROUNDS, hexText } from '@roundhouse/entities/sql';
import { atHead, jsonAtHead, listAtHead, rowsAtHead } from './at-head.js';
import { jsonObject } from './json-object.js';
import type { NamedQuery, ReaderPool } from './reader-pool.js';
import { byHeight, timestampsOf, type TimestampsJson } from './rounds.reader.js';

interface ForgedBlock {
  readonly height: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly publicKey: string;
}

export interface RoundState extends ForgerList {
  /** The round's blocks up to the head. */
  readonly blocks: readonly ForgedBlock[];
  /** Height → seconds since the epoch, for the requested heights. */
  readonly timestamps: ReadonlyMap<number, number>;
  /** Public key → name, of all forgers. */
  readonly usernames: ReadonlyMap<string, string>;
  /** The newest event at the head. */
  readonly lastEventId: string | null;
}

interface RoundRow extends ForgerList {
  /** Null if there is no such round. */
  readonly round: number | null;
  readonly blocks: ForgedBlock[] | null;
  readonly timestamps: TimestampsJson | null;
  readonly usernames: Readonly<Record<string, string>> | null;
  readonly last_event_id: string | null;
}

const BLOCK = jsonObject({
  height: { value: 'r.height', form: 'integer' },
  id: { value: 'r.id', form: 'block id' },
  timestamp: { value: 'r."timestamp"', form: 'integer' },
  generatorPublicKey: { value: 'r.generator_public_key', form: 'hex' },
  username: { value: 'r.username', form: 'text', isNullable: true },
  numberOfTransactions: { value: columnOf('r', blocks, 'numberOfTransactions'), form: 'integer' },
  totalAmount: { value: columnOf('r', blocks, 'totalAmount'), form: 'integer' },
  totalFee: { value: columnOf('r', blocks, 'totalFee'), form: 'integer' },
  reward: { value: 'r.reward', form: 'integer' },
  forged: { value: `r.reward + ${columnOf('r', blocks, 'totalFee')}`, form: 'integer' },
});

/** $1, $2: the head; $3: the lowest height. */
const SELECT_STATUS_BLOCKS: NamedQuery = {
  name: 'status-blocks',
  text: listAtHead(
    BLOCK,
    `SELECT b.*, k.value AS generator_public_key, d.username FROM blocks b
     LEFT JOIN public_keys k ON k.number = b.generator LEFT JOIN delegates d ON d.public_key = k.value
     WHERE b.height >= $3 ORDER BY b.height DESC`,
  ),
};

/** $1, $2: the head; $3: the round; $4: its first height; $5: heights whose timestamps are wanted. */
const SELECT_STATUS_ROUND: NamedQuery = {
  name: 'status-round',
  text: atHead(
    `${forgerListOf('r')}, r.round, forged.blocks, ${timestampsOf('$5')} AS timestamps,
  (SELECT json_object_agg(${hexText('d.public_key')}, d.username) FROM delegates d
   WHERE d.number = ANY (r.forging_order) OR d.public_key = ANY (forged.generators)) AS usernames,
  (SELECT max(sequence)::text FROM events) AS last_event_id`,
    `LEFT JOIN ${FORGING_ROUNDS} r ON r.round = $3
CROSS JOIN LATERAL (
  SELECT array_agg(k.value) AS generators,
    json_agg(json_build_object('height', b.height, 'timestamp', b."timestamp", 'publicKey', ${hexText('k.value')})) AS blocks
  FROM blocks b LEFT JOIN public_keys k ON k.number = b.generator WHERE b.height >= $4
) forged`,
  ),
};

/** Blocks and the round of one head; lists are JSON, as in `DelegatesReader`. Every method throws `HeadPassedError`. */
export class StatusReader {
  constructor(private readonly pool: ReaderPool) {}

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
    if (row?.round === null || row === undefined) return null;
    const { forgingOrder, firstSlot, forgottenClaims } = row;
    return {
      ...{ forgingOrder, firstSlot, forgottenClaims },
      blocks: row.blocks ?? [],
      timestamps: byHeight(row.timestamps),
      usernames: new Map(Object.entries(row.usernames ?? {})),
      lastEventId: row.last_event_id,
    };
  }
}
