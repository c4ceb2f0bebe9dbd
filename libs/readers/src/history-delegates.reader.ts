import type { BlockRef } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import {
  amountsAt,
  delegateAt,
  ranksAt,
  weightAt,
  weightsAt,
  FORGING_ROUNDS,
  hexText,
  knowsClaims,
} from '@roundhouse/entities/sql';
import { atHead, joinList, jsonOf, type JsonRow } from './at-head.js';
import {
  delegateBy,
  delegateValues,
  historyAtHead,
  historyRows,
  type DelegateName,
  type FoundAt,
} from './history-at-head.js';
import { jsonObject } from './json-object.js';
import type { NamedQuery, ReaderPool } from './reader-pool.js';
import type { RowStreams } from './row-streams.js';

/** The objects of a list as JSON, separated by commas; null if there are too many, so that they must be streamed. */
type PastList = string | null;

interface PastVoters {
  /** Of the delegate. */
  readonly publicKey: string;
  readonly voters: PastList;
}

/**
 * Weights are in arktoshi. What is said of the next round is null in an index that does not know the claims (see
 * `knowsClaims`).
 */
export interface DelegateRound {
  readonly round: number;
  /** Of its last block. */
  readonly height: number;
  readonly weight: bigint;
  /** Null if the delegate has resigned. */
  readonly rank: number | null;
  /** The weight by which the forgers of the next round were chosen; may be negative. */
  readonly forgingWeight: bigint | null;
  /** Whether it is among the forgers of the next round. */
  readonly isActive: boolean | null;
  /** By which weights they were chosen: without claims, with all of them, or with those since a restart. */
  readonly forgers: 'clean' | 'running' | 'restarted' | null;
}

const DELEGATE = jsonObject({
  rank: { value: 'r.rank', form: 'integer', isNullable: true },
  username: { value: 'r.username', form: 'text' },
  publicKey: { value: 'r.public_key', form: 'hex' },
  address: { value: 'r.address', form: 'plain' },
  isResigned: { value: 'r.is_resigned', form: 'flag' },
  weight: { value: 'r.weight', form: 'integer' },
  producedblocks: { value: 'r.produced_blocks', form: 'integer' },
  missedblocks: { value: 'r.missed_blocks', form: 'integer' },
  fees: { value: 'r.forged_fees', form: 'integer' },
  rewards: { value: 'r.forged_rewards', form: 'integer' },
  forged: { value: 'r.forged_fees + r.forged_rewards', form: 'integer' },
});

// Outer-joined, so that a delegate without a row fails instead of being omitted.
const DELEGATES = `SELECT d.username, d.public_key, d.address, ranked.rank, n.*, w.weight FROM delegates d
   LEFT JOIN unnest(${ranksAt('$3')}) WITH ORDINALITY AS ranked (number, rank) ON ranked.number = d.number
   LEFT JOIN LATERAL ${delegateAt('d.number', '$3')} n ON true
   LEFT JOIN ${weightsAt('$3')} w ON w.delegate = d.number
   WHERE d.registered_height <= $3 ORDER BY ranked.rank, d.username`;

/** SQL of the lists `rows`, unless they are more than $4; `counted` are the same rows, unordered. */
const listUnlessLarge = (object: string, rows: string, counted: string): string => `CROSS JOIN LATERAL (
  SELECT count(*) > $4::bigint AS is_large FROM (${counted} LIMIT $4::bigint + 1) c
) size
${joinList(object, `${rows} LIMIT CASE WHEN size.is_large THEN 0 END`)}`;

const streamOf = (object: string, rows: string, joins = ''): string =>
  atHead(
    'listed.json',
    `${joins}\nCROSS JOIN LATERAL (SELECT ${object} AS json FROM (${rows}) r OFFSET 0) listed`,
  );

/** $1, $2: the head; $3: the height; $4: the most rows of a list. */
const SELECT_PAST_DELEGATES: NamedQuery = {
  name: 'history-delegates',
  text: historyAtHead(
    'size.is_large, list.json, list.lost',
    listUnlessLarge(DELEGATE, DELEGATES, 'SELECT FROM delegates d WHERE d.registered_height <= $3'),
  ),
};

/** The same list, for `RowStreams`. */
const STREAM_PAST_DELEGATES: NamedQuery = {
  name: 'history-delegates-stream',
  text: streamOf(DELEGATE, DELEGATES),
};

const VOTER = jsonObject({
  address: { value: 'r.address', form: 'plain' },
  balance: { value: 'r.balance', form: 'integer' },
  locked: { value: 'r.locked', form: 'integer' },
});

const VOTES = `FROM history_votes v
   WHERE v.vote = d.public_key AND v.from_height <= $3 AND v.until_height > $3`;

const VOTERS = `SELECT p.address, b.balance, b.locked
   FROM (SELECT v.account, v.address ${VOTES}) p
   LEFT JOIN LATERAL ${amountsAt('p.account', '$3')} b ON true
   ORDER BY b.balance DESC, p.address`;

/** $1, $2: the head; $3: the height; $4: the most rows of a list; $5, $6: public key and username, one of them null. */
const SELECT_PAST_VOTERS: NamedQuery = {
  name: 'history-voters',
  text: historyAtHead(
    `${hexText('d.public_key')} AS "publicKey", size.is_large, list.json, list.lost`,
    `${delegateBy('$5', '$6', '$3')}\n${listUnlessLarge(VOTER, VOTERS, `SELECT ${VOTES}`)}`,
  ),
};

/** The same list, for `RowStreams`; $4: the delegate's public key. */
const STREAM_PAST_VOTERS: NamedQuery = {
  name: 'history-voters-stream',
  text: streamOf(VOTER, VOTERS, 'JOIN delegates d ON d.public_key = $4'),
};

/** $1, $2: the head; $3, $4: public key and username, one of them null; $5: the most rows. */
const SELECT_ROUNDS: NamedQuery = {
  name: 'history-rounds',
  text: `${historyAtHead(
    `d.username, r.round, r.height, w.weight, array_position(${ranksAt('r.height')}, d.number) AS rank,
  CASE WHEN c.is_known THEN (w.weight + c.drift)::text END AS "forgingWeight",  -- sums may pass 2^63
  CASE WHEN c.is_known THEN d.number = ANY (r.forging_order) END AS "isActive",
  CASE WHEN NOT c.is_known THEN NULL WHEN c.count <= r.forgotten_claims THEN 'clean'
    WHEN r.forgotten_claims = 0 THEN 'running' ELSE 'restarted' END AS forgers`,
    `${delegateBy('$3', '$4', 'h.height')}
LEFT JOIN LATERAL (
  SELECT round - 1 AS round, first_height - 1 AS height, forging_order, forgotten_claims FROM ${FORGING_ROUNDS} rounds
  WHERE round > 1 AND first_height > d.registered_height AND first_height <= h.height + 1
  ORDER BY rounds.round DESC LIMIT $5
) r ON true
LEFT JOIN LATERAL ${weightAt('d.number', 'r.height')} w ON true
CROSS JOIN LATERAL (
  SELECT (SELECT ${knowsClaims()} FROM head) AS is_known, coalesce(max(number), 0) AS count,
    coalesce(sum(CASE d.number WHEN winner THEN amount WHEN loser THEN -amount END) FILTER (WHERE number > r.forgotten_claims), 0) AS drift
  FROM claim_drifts WHERE height <= r.height
) c`,
  )}
ORDER BY r.round DESC`,
};

// What delegates have been rewarded since. Only delegates forge, except in the genesis block.
/** $1, $2: the head; $3: the height. */
const SELECT_PAST_SUPPLY: NamedQuery = {
  name: 'history-supply',
  text: historyAtHead(
    'h.supply - coalesce(since.rewards, 0)::bigint AS supply',
    `CROSS JOIN (
  SELECT sum(d.forged_rewards - coalesce(n.forged_rewards, 0)) AS rewards FROM delegates d
  LEFT JOIN LATERAL ${delegateAt('d.number', '$3')} n ON true
) since`,
  ),
};

interface ListRow extends JsonRow {
  readonly is_large: boolean;
}

interface RoundRow extends Omit<DelegateRound, 'forgingWeight'> {
  readonly forgingWeight: string | null;
  /** Null if there is no such delegate. */
  readonly username: string | null;
}

const listOf = (query: NamedQuery, row: ListRow): PastList => (row.is_large ? null : jsonOf(query, row));

/** Delegates, voters and the supply as they were. Every method throws `HeadPassedError` and `NoHistoryError`. */
export class HistoryDelegatesReader {
  constructor(private readonly pool: ReaderPool) {}

  /** All that were registered, by rank, then by username, if they are no more than `most`. */
  async listDelegates(at: BlockRef, height: number, most: number): Promise<FoundAt<PastList>> {
    const [row] = await historyRows<ListRow>(this.pool, at, SELECT_PAST_DELEGATES, [height, most]);
    return { found: listOf(SELECT_PAST_DELEGATES, row!), lowestHead: row!.lowestHead };
  }

  /** Largest balance first, if they are no more than `most`. Undefined if the delegate was not registered. */
  async listVoters(
    at: BlockRef,
    delegate: DelegateName,
    height: number,
    most: number,
  ): Promise<FoundAt<PastVoters> | undefined> {
    type Row = ListRow & { readonly publicKey: string | null };
    const values = [height, most, ...delegateValues(delegate)];
    const [row] = await historyRows<Row>(this.pool, at, SELECT_PAST_VOTERS, values);
    const { publicKey, lowestHead } = row!;
    return publicKey === null
      ? undefined
      : { found: { publicKey, voters: listOf(SELECT_PAST_VOTERS, row!) }, lowestHead };
  }

  /** The newest first. Undefined if there is no such delegate. */
  async listRounds(
    at: BlockRef,
    delegate: DelegateName,
    limit: number,
  ): Promise<readonly DelegateRound[] | undefined> {
    const values = [...delegateValues(delegate), limit];
    const rows = await historyRows<RoundRow>(this.pool, at, SELECT_ROUNDS, values);
    if (rows[0]!.username === null) return undefined;
    return rows
      .filter(({ round }) => (round as number | null) !== null)
      .map(({ forgingWeight, ...row }) => ({
        ...row,
        forgingWeight: forgingWeight === null ? null : BigInt(forgingWeight),
      }));
  }

  /** In arktoshi. */
  async getSupply(at: BlockRef, height: number): Promise<FoundAt<bigint>> {
    type Row = { readonly supply: bigint };
    const [row] = await historyRows<Row>(this.pool, at, SELECT_PAST_SUPPLY, [height]);
    return { found: row!.supply, lowestHead: row!.lowestHead };
  }
}

/** The same delegates in pieces. There must be at least one: see `RowStreams.read`. */
export const streamPastDelegates = (
  streams: RowStreams,
  at: BlockRef,
  height: number,
): AsyncGenerator<Buffer, void, undefined> => streams.read(at, STREAM_PAST_DELEGATES, [height]);

/** The same voters in pieces. There must be at least one. */
export const streamPastVoters = (
  streams: RowStreams,
  at: BlockRef,
  publicKey: string,
  height: number,
): AsyncGenerator<Buffer, void, undefined> =>
  streams.read(at, STREAM_PAST_VOTERS, [height, bytesOf('hex', publicKey)]);
