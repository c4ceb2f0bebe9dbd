import type { BlockRef } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import { FORGING_ROUNDS } from '@roundhouse/entities/sql';
import { atHead, joinList, jsonAtHead, jsonOf, rowsAtHead, type JsonRow } from './at-head.js';
import {
  lowerAscii,
  nameContains,
  ORDERS,
  pageOf,
  RANK,
  type DelegateSort,
  type SortDirection,
} from './delegate-orders.js';
import { jsonObject } from './json-object.js';
import type { NamedQuery, ReaderPool } from './reader-pool.js';

const DELEGATE = jsonObject({
  rank: { value: 'r.rank', form: 'integer', isNullable: true },
  username: { value: 'r.username', form: 'text' },
  publicKey: { value: 'r.public_key', form: 'hex' },
  address: { value: 'r.address', form: 'plain' },
  isActive: { value: 'r.is_active', form: 'flag' },
  isResigned: { value: 'r.is_resigned', form: 'flag' },
  weight: { value: 'r.weight', form: 'integer' },
  // numeric, because the product exceeds 2^63. Without a supply the approval is 0.
  approval: { value: 'coalesce(div(r.weight::numeric * 10000, nullif(h.supply, 0)), 0)', form: 'integer' },
  producedblocks: { value: 'r.produced_blocks', form: 'integer' },
  missedblocks: { value: 'r.missed_blocks', form: 'integer' },
  fees: { value: 'r.forged_fees', form: 'integer' },
  rewards: { value: 'r.forged_rewards', form: 'integer' },
  forged: { value: 'r.forged_fees + r.forged_rewards', form: 'integer' },
});

/**
 * Only the list of all delegates by rank shows ranks beyond this one. So the time to find the ranks does not grow with
 * the number of delegates.
 */
const MOST_RANKED = 5000;

const WITH_RANKS = `
WITH ranks AS (
  SELECT d.public_key, d.weight, row_number() OVER (ORDER BY ${RANK}) AS rank
  FROM delegates d ORDER BY ${RANK} LIMIT ${MOST_RANKED}
)`;

/** Adds the rank to delegates. */
const ranked = (rows: string): string =>
  `SELECT d.*, ranks.rank FROM (${rows}) d LEFT JOIN ranks ON ranks.public_key = d.public_key`;

/** The numbers of the forgers of the round $3: the active delegates. */
const ACTIVE = `SELECT unnest(r.forging_order) AS number FROM ${FORGING_ROUNDS} r WHERE r.round = $3`;

// Ordered once more, like `page` of delegates.reader.ts.
/** The list of delegates that have a rank. */
const listOf = (rows: string, order: string): string =>
  joinList(
    DELEGATE,
    `SELECT d.*, active.number IS NOT NULL AS is_active
FROM (${rows}) d LEFT JOIN (${ACTIVE}) active ON active.number = d.number
ORDER BY ${order}`,
  );

/** SQL of one list, for `jsonAtHead`. */
const withList = (list: string): string => atHead('list.json, list.lost', list);

/** $1, $2: the head; $3: the round. */
const SELECT_ACTIVE_DELEGATES: NamedQuery = {
  name: 'status-active-delegates',
  text:
    WITH_RANKS +
    atHead(
      'list.json, list.lost, (SELECT coalesce(sum(weight), 0)::bigint FROM ranks) AS total_weight',
      listOf(
        ranked(`SELECT d.* FROM (${ACTIVE}) forging JOIN delegates d ON d.number = forging.number`),
        RANK,
      ),
    ),
};

/** In a list by rank, the rank is the place in the list. */
const RANK_IN_LIST: Readonly<Record<SortDirection, string>> = {
  asc: `$5::bigint + row_number() OVER (ORDER BY ${ORDERS.rank.asc})`,
  desc: `h.delegate_count - $5::bigint + 1 - row_number() OVER (ORDER BY ${ORDERS.rank.desc})`,
};

/** $1, $2: the head; $3: the round; $4: limit; $5: offset. */
const selectPage = (sort: DelegateSort, direction: SortDirection): NamedQuery => {
  const rows = pageOf(sort, direction, '$4', '$5');
  const order = ORDERS[sort][direction];
  const name = `status-delegates-${sort}-${direction}`;
  if (sort !== 'rank') return { name, text: WITH_RANKS + withList(listOf(ranked(rows), order)) };
  const places = `SELECT d.*, ${RANK_IN_LIST[direction]} AS rank FROM (${rows}) d`;
  return { name, text: withList(listOf(places, order)) };
};

/** The same, and $6: the text in lower case. */
const selectFoundPage = (sort: DelegateSort, direction: SortDirection): NamedQuery => {
  const order = ORDERS[sort][direction];
  const rows = `SELECT * FROM found d ORDER BY ${order} LIMIT $4 OFFSET $5`;
  const columns = 'list.json, list.lost, (SELECT count(*)::integer FROM found) AS count';
  return {
    name: `status-found-${sort}-${direction}`,
    text: `${WITH_RANKS}, found AS MATERIALIZED (SELECT * FROM delegates d WHERE ${nameContains('$6')})
${atHead(columns, listOf(ranked(rows), order))}`,
  };
};

/** $1, $2: the head; $3: the round; $4: public key or null; $5: username or null. */
const SELECT_ONE_DELEGATE: NamedQuery = {
  name: 'status-delegate',
  text:
    WITH_RANKS +
    withList(listOf(ranked('SELECT * FROM delegates d WHERE d.public_key = $4 OR d.username = $5'), RANK)),
};

export interface ActiveDelegates {
  readonly delegates: string;
  /** Of the first 5,000 by rank, in arktoshi. */
  readonly totalWeight: bigint;
}

/** The delegates to list: those whose name contains `search`, ignoring ASCII case, or all. */
export interface DelegatesPage {
  readonly search: string | undefined;
  readonly sort: DelegateSort;
  readonly direction: SortDirection;
  readonly limit: number;
  readonly offset: number;
}

export interface ListedDelegates {
  readonly delegates: string;
  /** How many the search found, on all pages; undefined without a search. */
  readonly count: number | undefined;
}

/**
 * Delegates with all their figures, as /status.json and /delegates.json show them; lists are JSON, as in `DelegatesReader`.
 * Those that forge in `round` are active. Every method throws `HeadPassedError`.
 */
export class RankedDelegatesReader {
  constructor(private readonly pool: ReaderPool) {}

  /** By rank. */
  async listActive(at: BlockRef, round: number): Promise<ActiveDelegates> {
    type Row = JsonRow & { readonly total_weight: bigint };
    const [row] = await rowsAtHead<Row>(this.pool, at, SELECT_ACTIVE_DELEGATES, [round]);
    return { delegates: jsonOf(SELECT_ACTIVE_DELEGATES, row!), totalWeight: row!.total_weight };
  }

  async listDelegates(
    at: BlockRef,
    round: number,
    { search, sort, direction, limit, offset }: DelegatesPage,
  ): Promise<ListedDelegates> {
    const values = [round, limit, offset];
    if (search === undefined) {
      const delegates = await jsonAtHead(this.pool, at, selectPage(sort, direction), values);
      return { delegates, count: undefined };
    }
    type Row = JsonRow & { readonly count: number };
    const query = selectFoundPage(sort, direction);
    const [row] = await rowsAtHead<Row>(this.pool, at, query, [...values, lowerAscii(search)]);
    return { delegates: jsonOf(query, row!), count: row!.count };
  }

  /** Empty if there is none. */
  findDelegate(at: BlockRef, round: number, publicKey?: string, username?: string): Promise<string> {
    const key = publicKey === undefined ? null : bytesOf('hex', publicKey);
    return jsonAtHead(this.pool, at, SELECT_ONE_DELEGATE, [round, key, username ?? null]);
  }
}
