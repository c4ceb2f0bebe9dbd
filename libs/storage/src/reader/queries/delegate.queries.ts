import { jsonObject, jsonRows } from './json-object.js';
import type { NamedQuery } from './named-query.js';

export type DelegateSort =
  | 'rank'
  | 'username'
  | 'address'
  | 'publicKey'
  | 'vote'
  | 'producedblocks'
  | 'missedblocks'
  | 'productivity'
  | 'forged';

export type SortDirection = 'asc' | 'desc';

const IDENTITY = {
  username: { value: 'r.username', form: 'text' },
  address: { value: 'r.address', form: 'plain' },
  publicKey: { value: 'r.public_key', form: 'plain' },
} as const;

/** In lists `vote` is the key that the delegate's own account votes for; what is found tells the weight received. */
const LISTED = jsonObject({ ...IDENTITY, vote: { value: 'r.vote', form: 'plain', isNullable: true } });

const FOUND = jsonObject({
  ...IDENTITY,
  vote: { value: 'r.weight', form: 'plain' },
  producedblocks: { value: 'r.produced_blocks', form: 'integer' },
  missedblocks: { value: 'r.missed_blocks', form: 'integer' },
});

const atHead = (object: string, rows: string): string => `
SELECT list.json, list.lost
FROM head h CROSS JOIN LATERAL (${jsonRows(object, rows)}) list
WHERE h.height = $1 AND h.block_id = $2`;

// Ordered twice: within, to choose the page; without, because a join promises no order. The own vote is looked up
// for the page alone.
const page = (order: string, filter: string, limits: string): string =>
  atHead(
    LISTED,
    `SELECT d.username, d.address, d.public_key, a.vote
FROM (SELECT d.* FROM delegates d ${filter} ORDER BY ${order} ${limits}) d
LEFT JOIN accounts a ON a.address = d.address
ORDER BY ${order}`,
  );

export const RANK = 'd.is_resigned, d.weight DESC, d.public_key';

// double precision divides equal fractions to equal quotients, which numeric does not promise.
const PRODUCTIVITY = `CASE WHEN d.produced_blocks + d.missed_blocks = 0 THEN 0
  ELSE d.produced_blocks::double precision / (d.produced_blocks::bigint + d.missed_blocks) END`;

const byColumn = (column: string): Record<SortDirection, string> => ({
  asc: `${column}, d.public_key`,
  desc: `${column} DESC, d.public_key`,
});

const ORDERS: Readonly<Record<DelegateSort, Record<SortDirection, string>>> = {
  // No two delegates have one rank, so the way down is the exact reverse.
  rank: { asc: RANK, desc: 'd.is_resigned DESC, d.weight, d.public_key DESC' },
  username: byColumn('d.username'),
  address: byColumn('d.address'),
  publicKey: { asc: 'd.public_key', desc: 'd.public_key DESC' },
  vote: byColumn('d.weight'),
  producedblocks: byColumn('d.produced_blocks'),
  missedblocks: byColumn('d.missed_blocks'),
  productivity: byColumn(PRODUCTIVITY),
  forged: byColumn('d.forged_fees + d.forged_rewards'),
};

const listIn = (sort: DelegateSort, direction: SortDirection): NamedQuery => ({
  name: `delegates-${sort}-${direction}`,
  text: page(ORDERS[sort][direction], '', 'LIMIT $3 OFFSET $4'),
});

const listsBy = (sort: DelegateSort): Record<SortDirection, NamedQuery> => ({
  asc: listIn(sort, 'asc'),
  desc: listIn(sort, 'desc'),
});

/** $1, $2: the head; $3: limit; $4: offset. */
export const SELECT_DELEGATES: Readonly<Record<DelegateSort, Record<SortDirection, NamedQuery>>> = {
  rank: listsBy('rank'),
  username: listsBy('username'),
  address: listsBy('address'),
  publicKey: listsBy('publicKey'),
  vote: listsBy('vote'),
  producedblocks: listsBy('producedblocks'),
  missedblocks: listsBy('missedblocks'),
  productivity: listsBy('productivity'),
  forged: listsBy('forged'),
};

// OFFSET 0 keeps the order out of the search: PostgreSQL expects a match in every third name and would walk the index of
// names until the page is full, which for most texts never happens.
/** $1, $2: the head; $3: the text in lower case; $4: limit; $5: offset. lower() in COLLATE "C" changes ASCII alone. */
export const SEARCH_DELEGATES: NamedQuery = {
  name: 'delegates-search',
  text: atHead(
    FOUND,
    `SELECT * FROM (SELECT * FROM delegates d WHERE strpos(lower(d.username), $3) > 0 OFFSET 0) d
ORDER BY d.username LIMIT $4 OFFSET $5`,
  ),
};

/** $1, $2: the head; $3: public key or null; $4: username or null. */
export const SELECT_MATCHING_DELEGATES: NamedQuery = {
  name: 'delegates-matching',
  text: page(RANK, 'WHERE d.public_key = $3 OR d.username = $4', ''),
};

/** $1, $2: the head. */
export const SELECT_NEWEST_DELEGATE: NamedQuery = {
  name: 'delegate-newest',
  text: page('d.registered_height DESC, d.registered_sequence DESC', '', 'LIMIT 1'),
};

/** $1, $2: the head; $3: public key. */
export const SELECT_FORGED: NamedQuery = {
  name: 'delegate-forged',
  text: `
SELECT d.forged_fees, d.forged_rewards
FROM head h
LEFT JOIN delegates d ON d.public_key = $3
WHERE h.height = $1 AND h.block_id = $2`,
};
