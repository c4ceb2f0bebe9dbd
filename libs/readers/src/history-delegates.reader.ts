import type { BlockRef } from '@roundhouse/chain';
import {
  amountsAt,
  delegateAt,
  ranksAt,
  weightAt,
  weightsAt,
  FORGING_ROUNDS,
  knowsClaims,
} from '@roundhouse/entities/sql';
import { found, largeList, PAST, Reader, selectAtHead, type Past } from './at-head.js';
import { delegateBy, FORGED, nameValues, type DelegateName } from './delegate-parts.js';
import { jsonObject } from './json-object.js';

/**
 * Weights are in arktoshi. What is said of the next round is null in an index that does not know the claims (see
 * `knowsClaims`).
 */
interface RoundRow {
  /** Null if there is no such delegate. */
  readonly username: string | null;
  readonly round: number;
  /** Of its last block. */
  readonly height: number;
  readonly weight: bigint;
  /** Null if the delegate has resigned. */
  readonly rank: number | null;
  /** The weight by which the forgers of the next round were chosen; may be negative, and of any size. */
  readonly forgingWeight: string | null;
  /** Whether it is among the forgers of the next round. */
  readonly isActive: boolean | null;
  /** By which weights they were chosen: without claims, with all of them, or with those since a restart. */
  readonly forgers: 'clean' | 'running' | 'restarted' | null;
}

const DELEGATE = jsonObject({
  ...({ rank: 'integer or null', username: 'text', publicKey: 'hex', address: 'plain' } as const),
  ...({ isResigned: 'flag', weight: 'integer' } as const),
  ...FORGED,
});

// Outer-joined, so that a delegate without a row fails instead of being omitted.
const DELEGATES = `SELECT d.username, d.public_key, d.address, ranked.rank, n.*, w.weight FROM delegates d
   LEFT JOIN unnest(${ranksAt('$3')}) WITH ORDINALITY AS ranked (number, rank) ON ranked.number = d.number
   LEFT JOIN LATERAL ${delegateAt('d.number', '$3')} n ON true
   LEFT JOIN ${weightsAt('$3')} w ON w.delegate = d.number
   WHERE d.registered_height <= $3 ORDER BY ranked.rank, d.username`;

/** $1, $2: the head; $3: the height; $4: the most rows of a list. */
const PAST_DELEGATES = largeList('history-delegates', DELEGATE, {
  columns: `${PAST},`,
  rows: DELEGATES,
  counted: 'SELECT FROM delegates d WHERE d.registered_height <= $3',
  most: '$4',
});

const VOTER = jsonObject({ address: 'plain', balance: 'integer', locked: 'integer' });

const VOTES = `FROM history_votes v
   WHERE v.vote = d.public_key AND v.from_height <= $3 AND v.until_height > $3`;

/** $1, $2: the head; $3: the height; $4: the most rows of a list; $5, $6: public key and username, one of them null. */
const PAST_VOTERS = largeList('history-voters', VOTER, {
  columns: `${PAST}, d.public_key IS NOT NULL AS is_found,`,
  joins: delegateBy('$5', '$6', '$3'),
  rows: `SELECT p.address, b.balance, b.locked
   FROM (SELECT v.account, v.address ${VOTES}) p
   LEFT JOIN LATERAL ${amountsAt('p.account', '$3')} b ON true
   ORDER BY b.balance DESC, p.address`,
  counted: `SELECT ${VOTES}`,
  most: '$4',
});

/** $1, $2: the head; $3, $4: public key and username, one of them null; $5: the most rows. */
const SELECT_ROUNDS = selectAtHead(
  'history-rounds',
  `${PAST}, d.username, r.round, r.height, w.weight, array_position(${ranksAt('r.height')}, d.number) AS rank,
  CASE WHEN c.is_known THEN (w.weight + c.drift)::text END AS "forgingWeight",  -- sums may pass 2^63
  CASE WHEN c.is_known THEN d.number = ANY (r.forging_order) END AS "isActive",
  CASE WHEN NOT c.is_known THEN NULL WHEN c.count <= r.forgotten_claims THEN 'clean'
    WHEN r.forgotten_claims = 0 THEN 'running' ELSE 'restarted' END AS forgers`,
  `${delegateBy('$3', '$4', 'h.height')}
LEFT JOIN LATERAL (
  SELECT round - 1 AS round, first_height - 1 AS height, forging_order, forgotten_claims FROM ${FORGING_ROUNDS} rounds
  WHERE round > 1 AND first_height > d.registered_height AND first_height <= h.height + 1
  ORDER BY rounds.first_height DESC LIMIT $5  -- as the index has them: by round, all would be read and sorted
) r ON true
LEFT JOIN LATERAL ${weightAt('d.number', 'r.height')} w ON true
CROSS JOIN LATERAL (
  SELECT (SELECT ${knowsClaims()} FROM head) AS is_known, coalesce(max(number), 0) AS count,
    coalesce(sum(CASE d.number WHEN winner THEN amount WHEN loser THEN -amount END) FILTER (WHERE number > r.forgotten_claims), 0) AS drift
  FROM claim_drifts WHERE height <= r.height
) c`,
  'ORDER BY r.round DESC',
);

// What delegates have been rewarded since. Only delegates forge, except in the genesis block.
/** $1, $2: the head; $3: the height. */
const SELECT_PAST_SUPPLY = selectAtHead(
  'history-supply',
  `${PAST}, h.supply - coalesce(since.rewards, 0)::bigint AS found`,
  `CROSS JOIN (
  SELECT sum(d.forged_rewards - coalesce(n.forged_rewards, 0)) AS rewards FROM delegates d
  LEFT JOIN LATERAL ${delegateAt('d.number', '$3')} n ON true
) since`,
);

/** Delegates, voters and the supply as they were. Every method throws `NoHistoryError` if the index keeps no history. */
export class HistoryDelegatesReader extends Reader {
  /** All that were registered, by rank, then by username; streamed if they are more than `most`. */
  listDelegates(at: BlockRef, height: number, most: number) {
    return this.largeList<Past>(at, PAST_DELEGATES, height, most);
  }

  /** Largest balance first; streamed if they are more than `most`. Undefined if the delegate was not registered. */
  async listVoters(at: BlockRef, delegate: DelegateName, height: number, most: number) {
    type Row = Past & { readonly is_found: boolean };
    const row = await this.largeList<Row>(at, PAST_VOTERS, height, most, ...nameValues(delegate));
    return row.is_found ? row : undefined;
  }

  /** The newest first. Undefined if there is no such delegate. */
  async listRounds(at: BlockRef, delegate: DelegateName, limit: number) {
    const rows = await this.rows<RoundRow>(at, SELECT_ROUNDS, ...nameValues(delegate), limit);
    if (rows[0].username === null) return undefined;
    return found(rows, 'round').map(({ forgingWeight, ...row }) => ({
      ...row,
      forgingWeight: forgingWeight === null ? null : BigInt(forgingWeight),
    }));
  }

  /** In arktoshi. */
  getSupply(at: BlockRef, height: number) {
    return this.row<Past & { readonly found: bigint }>(at, SELECT_PAST_SUPPLY, height);
  }
}
