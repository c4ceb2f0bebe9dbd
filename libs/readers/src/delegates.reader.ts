import type { BlockRef } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import { atHead, joinList, jsonAtHead, jsonOf, listAtHead, rowsAtHead, type JsonRow } from './at-head.js';
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
import type { RowStreams } from './row-streams.js';

const IDENTITY = {
  username: { value: 'r.username', form: 'text' },
  address: { value: 'r.address', form: 'plain' },
  publicKey: { value: 'r.public_key', form: 'hex' },
} as const;

/** In lists `vote` is the key that the delegate's own account votes for; in search results it is the delegate's weight. */
const LISTED = jsonObject({ ...IDENTITY, vote: { value: 'r.vote', form: 'hex', isNullable: true } });

const FOUND = jsonObject({
  ...IDENTITY,
  vote: { value: 'r.weight', form: 'plain' },
  producedblocks: { value: 'r.produced_blocks', form: 'integer' },
  missedblocks: { value: 'r.missed_blocks', form: 'integer' },
});

// Ordered twice: the inner order chooses the page, and the outer one is needed because a join keeps no order. Votes are
// looked up only for the page.
const page = (rows: string, order: string): string =>
  listAtHead(
    LISTED,
    `SELECT d.username, d.address, d.public_key, a.vote
FROM (${rows}) d
LEFT JOIN accounts a ON a.address = d.address
ORDER BY ${order}`,
  );

const listIn = (sort: DelegateSort, direction: SortDirection): NamedQuery => ({
  name: `delegates-${sort}-${direction}`,
  text: page(pageOf(sort, direction, '$3', '$4'), ORDERS[sort][direction]),
});

const listsBy = (sort: DelegateSort): Record<SortDirection, NamedQuery> => ({
  asc: listIn(sort, 'asc'),
  desc: listIn(sort, 'desc'),
});

/** $1, $2: the head; $3: limit; $4: offset. */
const SELECT_DELEGATES: Readonly<Record<DelegateSort, Record<SortDirection, NamedQuery>>> = {
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

// The index of names has all that a search needs, in the order of the answer: it is read until the page is full.
// OFFSET 0 makes PostgreSQL look up the found rows one by one: it expects that a tenth of all delegates are found.
/** $1, $2: the head; $3: the text in lower case; $4: limit; $5: offset. */
const SEARCH_DELEGATES: NamedQuery = {
  name: 'delegates-search',
  text: listAtHead(
    FOUND,
    `SELECT d.*
FROM (SELECT d.username FROM delegates d WHERE ${nameContains('$3')} ORDER BY d.username LIMIT $4 OFFSET $5) found
CROSS JOIN LATERAL (SELECT * FROM delegates d WHERE d.username = found.username OFFSET 0) d
ORDER BY d.username`,
  ),
};

/** $1, $2: the head; $3: public key or null; $4: username or null. */
const SELECT_MATCHING_DELEGATES: NamedQuery = {
  name: 'delegates-matching',
  text: page('SELECT * FROM delegates d WHERE d.public_key = $3 OR d.username = $4', RANK),
};

/** $1, $2: the head. */
const SELECT_NEWEST_DELEGATE: NamedQuery = {
  name: 'delegate-newest',
  text: page('SELECT * FROM delegates d ORDER BY d.number DESC LIMIT 1', 'd.number DESC'),
};

/** $1, $2: the head; $3: public key. */
const SELECT_FORGED: NamedQuery = {
  name: 'delegate-forged',
  text: atHead(
    'd.forged_fees AS fees, d.forged_rewards AS rewards',
    'LEFT JOIN delegates d ON d.public_key = $3',
  ),
};

// A voter has signed a transaction, so its public key is known.
const VOTER = jsonObject({
  username: { value: 'r.username', form: 'text', isNullable: true },
  address: { value: 'r.address', form: 'plain' },
  publicKey: { value: 'r.public_key', form: 'hex' },
  balance: { value: 'r.balance', form: 'integer' },
});

// OFFSET 0: otherwise PostgreSQL may walk the balances of all accounts, from the largest down.
/** The voters of the delegate `d`, the largest balance first. */
const VOTERS = `SELECT v.address, v.public_key, v.balance, n.username
   FROM (SELECT * FROM accounts a WHERE a.vote = d.public_key OFFSET 0) v LEFT JOIN delegates n ON n.address = v.address
   ORDER BY v.balance DESC, v.address`;

/** $1, $2: the head; $3: the delegate's public key; $4: limit, null for all; $5: offset; $6: the most rows of a list. */
const SELECT_VOTERS: NamedQuery = {
  name: 'voters',
  text: atHead(
    'd.public_key IS NOT NULL AS is_found, size.is_large, list.json, list.lost',
    `LEFT JOIN delegates d ON d.public_key = $3
CROSS JOIN LATERAL (
  SELECT count(*) > $6::bigint AS is_large FROM (
    SELECT FROM accounts a WHERE a.vote = d.public_key LIMIT least($4::bigint, $6::bigint + 1) OFFSET $5
  ) v
) size
${joinList(VOTER, `${VOTERS} LIMIT CASE WHEN size.is_large THEN 0 ELSE $4::bigint END OFFSET $5`)}`,
  ),
};

/** The same list, for `RowStreams`. */
const STREAM_VOTERS: NamedQuery = {
  name: 'voters-stream',
  text: atHead(
    'voter.json',
    `JOIN delegates d ON d.public_key = $3
CROSS JOIN LATERAL (SELECT ${VOTER} AS json FROM (${VOTERS} LIMIT $4 OFFSET $5) r OFFSET 0) voter`,
  ),
};

/** Arktoshi. */
export interface ForgedTotals {
  readonly fees: bigint;
  readonly rewards: bigint;
}

interface VotersRow extends JsonRow {
  readonly is_found: boolean;
  readonly is_large: boolean;
}

type FoundVoters =
  | { readonly kind: 'no delegate' }
  | { readonly kind: 'listed'; readonly voters: string }
  /** There are more than may be listed at once: stream them. */
  | { readonly kind: 'large' };

/**
 * Delegates and voters as JSON with the contract's field names: one object each, separated by commas. PostgreSQL writes
 * the JSON, because parsing rows and serialising them took most of the time. Every method throws `HeadPassedError` if
 * the tables are no longer at the given head.
 */
export class DelegatesReader {
  constructor(private readonly pool: ReaderPool) {}

  listDelegates(
    at: BlockRef,
    sort: DelegateSort,
    direction: SortDirection,
    limit: number,
    offset: number,
  ): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_DELEGATES[sort][direction], [limit, offset]);
  }

  /** Those whose username contains `text`, ignoring ASCII case, ordered by username; with weight and blocks. */
  searchDelegates(at: BlockRef, text: string, limit: number, offset: number): Promise<string> {
    return jsonAtHead(this.pool, at, SEARCH_DELEGATES, [lowerAscii(text), limit, offset]);
  }

  /** Those that match the public key or the username, ordered by rank. */
  listMatching(at: BlockRef, publicKey?: string, username?: string): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_MATCHING_DELEGATES, [
      publicKey === undefined ? null : bytesOf('hex', publicKey),
      username ?? null,
    ]);
  }

  /** The delegate that registered last; empty if there is none. */
  findNewest(at: BlockRef): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_NEWEST_DELEGATE);
  }

  async findForged(at: BlockRef, publicKey: string): Promise<ForgedTotals | null> {
    type Row = ForgedTotals | { readonly fees: null };
    const [row] = await rowsAtHead<Row>(this.pool, at, SELECT_FORGED, [bytesOf('hex', publicKey)]);
    return row!.fees === null ? null : row!;
  }

  /** The accounts that vote for a delegate, the largest balance first, if they are no more than `most`. */
  async findVoters(
    at: BlockRef,
    publicKey: string,
    limit: number | null,
    offset: number,
    most: number,
  ): Promise<FoundVoters> {
    const values = [bytesOf('hex', publicKey), limit, offset, most];
    const [row] = await rowsAtHead<VotersRow>(this.pool, at, SELECT_VOTERS, values);
    if (!row!.is_found) return { kind: 'no delegate' };
    return row!.is_large ? { kind: 'large' } : { kind: 'listed', voters: jsonOf(SELECT_VOTERS, row!) };
  }
}

/** The same voters in pieces. There must be at least one: see `RowStreams.read`. */
export const streamVoters = (
  streams: RowStreams,
  at: BlockRef,
  publicKey: string,
  limit: number | null,
  offset: number,
): AsyncGenerator<Buffer, void, undefined> =>
  streams.read(at, STREAM_VOTERS, [bytesOf('hex', publicKey), limit, offset]);
