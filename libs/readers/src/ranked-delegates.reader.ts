import type { BlockRef } from '@roundhouse/chain';
import { FORGING_ROUNDS } from '@roundhouse/entities/sql';
import { atHead, joinList, LIST, named, Reader } from './at-head.js';
import { inEachOrder, ORDERS, pageOfDelegates, RANK, type DelegatesPage } from './delegate-orders.js';
import { FORGED, nameContains, nameValues, type DelegateName } from './delegate-parts.js';
import { jsonObject } from './json-object.js';

const DELEGATE = jsonObject({
  ...({ rank: 'integer or null', username: 'text', publicKey: 'hex', address: 'plain' } as const),
  ...({ isActive: 'flag', isResigned: 'flag', weight: 'integer' } as const),
  // numeric, because the product exceeds 2^63. Without a supply the approval is 0.
  approval: ['integer', 'coalesce(div(r.weight::numeric * 10000, nullif(h.supply, 0)), 0)'],
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
/** The list of delegates that have a rank, with more columns; $3 is the round. */
const listOf = (name: string, rows: string, order: string, tables = WITH_RANKS, columns = '') => {
  const shown = `SELECT d.*, active.number IS NOT NULL AS is_active
FROM (${rows}) d LEFT JOIN (${ACTIVE}) active ON active.number = d.number ORDER BY ${order}`;
  return named(name, tables + atHead(`${LIST}${columns}`, joinList(DELEGATE, shown)));
};

/** $1, $2: the head; $3: the round. */
const SELECT_ACTIVE_DELEGATES = listOf(
  'status-active-delegates',
  ranked(`SELECT d.* FROM (${ACTIVE}) forging JOIN delegates d ON d.number = forging.number`),
  RANK,
  WITH_RANKS,
  ', (SELECT coalesce(sum(weight), 0)::bigint FROM ranks) AS "totalWeight"',
);

/** In a list by rank, the rank is the place in the list. */
const RANK_IN_LIST = {
  asc: `$5::bigint + row_number() OVER (ORDER BY ${ORDERS.rank.asc})`,
  desc: `h.delegate_count - $5::bigint + 1 - row_number() OVER (ORDER BY ${ORDERS.rank.desc})`,
} as const;

/** $1, $2: the head; $3: the round; $4: limit; $5: offset. */
const SELECT_PAGES = inEachOrder(ORDERS, (sort, direction) => {
  const name = `status-delegates-${sort}-${direction}`;
  const rows = pageOfDelegates(sort, direction, '$4', '$5');
  const order = ORDERS[sort][direction];
  return sort === 'rank'
    ? listOf(name, `SELECT d.*, ${RANK_IN_LIST[direction]} AS rank FROM (${rows}) d`, order, '')
    : listOf(name, ranked(rows), order);
});

/** The same, and $6: the text. */
const SELECT_FOUND_PAGES = inEachOrder(ORDERS, (sort, direction) => {
  const order = ORDERS[sort][direction];
  return listOf(
    `status-found-${sort}-${direction}`,
    ranked(`SELECT * FROM found d ORDER BY ${order} LIMIT $4 OFFSET $5`),
    order,
    `${WITH_RANKS}, found AS MATERIALIZED (SELECT * FROM delegates d WHERE ${nameContains('$6')})`,
    ', (SELECT count(*)::integer FROM found) AS count',
  );
});

/** $1, $2: the head; $3: the round; $4: public key or null; $5: username or null. */
const SELECT_ONE_DELEGATE = listOf(
  'status-delegate',
  ranked('SELECT * FROM delegates d WHERE d.public_key = $4 OR d.username = $5'),
  RANK,
);

/**
 * Delegates with all their figures, as /status.json and /delegates.json show them; lists are JSON, as in `DelegatesReader`.
 * Those that forge in `round` are active.
 */
export class RankedDelegatesReader extends Reader {
  /** By rank. `totalWeight`: of the first 5,000 by rank, in arktoshi. */
  async listActive(at: BlockRef, round: number) {
    type Row = { readonly totalWeight: bigint };
    const { list: delegates, totalWeight } = await this.listWith<Row>(at, SELECT_ACTIVE_DELEGATES, round);
    return { delegates, totalWeight };
  }

  /**
   * Those whose name contains `search`, ignoring ASCII case, or all. `count`: how many the search found, on all pages;
   * undefined without a search.
   */
  async listDelegates(at: BlockRef, round: number, page: DelegatesPage, search?: string) {
    const { sort, direction, limit, offset } = page;
    type Row = { readonly count?: number };
    const { list: delegates, count } = await (search === undefined
      ? this.listWith<Row>(at, SELECT_PAGES[sort][direction], round, limit, offset)
      : this.listWith<Row>(at, SELECT_FOUND_PAGES[sort][direction], round, limit, offset, search));
    return { delegates, count };
  }

  /** Empty if there is none. */
  findDelegate(at: BlockRef, round: number, name: DelegateName): Promise<string> {
    return this.list(at, SELECT_ONE_DELEGATE, round, ...nameValues(name));
  }
}
