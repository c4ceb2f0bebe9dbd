import type { BlockRef } from '@roundhouse/chain';
import { FORGING_ROUNDS } from '@roundhouse/entities/sql';
import { atHead, joinList, LIST, named, nameValues, Reader, type DelegateName } from './at-head.js';
import {
  BLOCK_COUNTS,
  FORGED,
  inEachOrder,
  lowerAscii,
  nameContains,
  ORDERS,
  pageOfDelegates,
  RANK,
  type DelegatesPage,
} from './delegate-orders.js';
import { jsonObject } from './json-object.js';

const DELEGATE = jsonObject({
  ...({ rank: 'integer or null', username: 'text', publicKey: 'hex', address: 'plain' } as const),
  ...({ isActive: 'flag', isResigned: 'flag', weight: 'integer' } as const),
  // numeric, because the product exceeds 2^63. Without a supply the approval is 0.
  approval: ['integer', 'coalesce(div(r.weight::numeric * 10000, nullif(h.supply, 0)), 0)'],
  ...BLOCK_COUNTS,
  ...FORGED,
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
/** SQL of the list of delegates that have a rank, with more columns. */
const listOf = (rows: string, order: string, columns = ''): string =>
  atHead(
    `${LIST}${columns}`,
    joinList(
      DELEGATE,
      `SELECT d.*, active.number IS NOT NULL AS is_active
FROM (${rows}) d LEFT JOIN (${ACTIVE}) active ON active.number = d.number
ORDER BY ${order}`,
    ),
  );

/** $1, $2: the head; $3: the round. */
const SELECT_ACTIVE_DELEGATES = named(
  'status-active-delegates',
  WITH_RANKS +
    listOf(
      ranked(`SELECT d.* FROM (${ACTIVE}) forging JOIN delegates d ON d.number = forging.number`),
      RANK,
      ', (SELECT coalesce(sum(weight), 0)::bigint FROM ranks) AS "totalWeight"',
    ),
);

/** In a list by rank, the rank is the place in the list. */
const RANK_IN_LIST = {
  asc: `$5::bigint + row_number() OVER (ORDER BY ${ORDERS.rank.asc})`,
  desc: `h.delegate_count - $5::bigint + 1 - row_number() OVER (ORDER BY ${ORDERS.rank.desc})`,
} as const;

/** $1, $2: the head; $3: the round; $4: limit; $5: offset. */
const SELECT_PAGES = inEachOrder(ORDERS, (sort, direction) => {
  const rows = pageOfDelegates(sort, direction, '$4', '$5');
  const order = ORDERS[sort][direction];
  const text =
    sort === 'rank'
      ? listOf(`SELECT d.*, ${RANK_IN_LIST[direction]} AS rank FROM (${rows}) d`, order)
      : WITH_RANKS + listOf(ranked(rows), order);
  return named(`status-delegates-${sort}-${direction}`, text);
});

/** The same, and $6: the text in lower case. */
const SELECT_FOUND_PAGES = inEachOrder(ORDERS, (sort, direction) => {
  const order = ORDERS[sort][direction];
  const rows = ranked(`SELECT * FROM found d ORDER BY ${order} LIMIT $4 OFFSET $5`);
  return named(
    `status-found-${sort}-${direction}`,
    `${WITH_RANKS}, found AS MATERIALIZED (SELECT * FROM delegates d WHERE ${nameContains('$6')})
${listOf(rows, order, ', (SELECT count(*)::integer FROM found) AS count')}`,
  );
});

/** $1, $2: the head; $3: the round; $4: public key or null; $5: username or null. */
const SELECT_ONE_DELEGATE = named(
  'status-delegate',
  WITH_RANKS + listOf(ranked('SELECT * FROM delegates d WHERE d.public_key = $4 OR d.username = $5'), RANK),
);

/**
 * Delegates with all their figures, as /status.json and /delegates.json show them; lists are JSON, as in `DelegatesReader`.
 * Those that forge in `round` are active.
 */
export class RankedDelegatesReader extends Reader {
  /** By rank. `totalWeight`: of the first 5,000 by rank, in arktoshi. */
  async listActive(at: BlockRef, round: number): Promise<{ delegates: string; totalWeight: bigint }> {
    type Row = { readonly totalWeight: bigint };
    const { list, totalWeight } = await this.listWith<Row>(at, SELECT_ACTIVE_DELEGATES, round);
    return { delegates: list, totalWeight };
  }

  /**
   * Those whose name contains `search`, ignoring ASCII case, or all. `count`: how many the search found, on all pages;
   * undefined without a search.
   */
  async listDelegates(
    at: BlockRef,
    round: number,
    { sort, direction, limit, offset }: DelegatesPage,
    search?: string,
  ): Promise<{ delegates: string; count?: number }> {
    const values = [round, limit, offset];
    if (search === undefined)
      return { delegates: await this.list(at, SELECT_PAGES[sort][direction], ...values) };
    const query = SELECT_FOUND_PAGES[sort][direction];
    type Row = { readonly count: number };
    const { list, count } = await this.listWith<Row>(at, query, ...values, lowerAscii(search));
    return { delegates: list, count };
  }

  /** Empty if there is none. */
  findDelegate(at: BlockRef, round: number, name: DelegateName): Promise<string> {
    return this.list(at, SELECT_ONE_DELEGATE, round, ...nameValues(name));
  }
}
