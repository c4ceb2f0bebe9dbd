import type { BlockRef } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import { found, largeList, listAtHead, Reader, selectAtHead } from './at-head.js';
import { inEachOrder, ORDERS, pageOfDelegates, RANK, type DelegatesPage } from './delegate-orders.js';
import { BLOCK_COUNTS, nameContains, nameValues, type DelegateName } from './delegate-parts.js';
import { jsonObject } from './json-object.js';

const IDENTITY = { username: 'text', address: 'plain', publicKey: 'hex' } as const;

/** In lists `vote` is the key that the delegate's own account votes for; in search results it is the delegate's weight. */
const LISTED = jsonObject({ ...IDENTITY, vote: 'hex or null' });

const FOUND = jsonObject({ ...IDENTITY, vote: ['plain', 'r.weight'], ...BLOCK_COUNTS });

// Ordered twice: the inner order chooses the page, and the outer one is needed because a join keeps no order. Votes are
// looked up only for the page.
const page = (name: string, rows: string, order: string) =>
  listAtHead(
    name,
    LISTED,
    `SELECT d.username, d.address, d.public_key, a.vote
FROM (${rows}) d LEFT JOIN accounts a ON a.address = d.address ORDER BY ${order}`,
  );

/** $1, $2: the head; $3: limit; $4: offset. */
const SELECT_DELEGATES = inEachOrder(ORDERS, (sort, direction) => {
  const rows = pageOfDelegates(sort, direction, '$3', '$4');
  return page(`delegates-${sort}-${direction}`, rows, ORDERS[sort][direction]);
});

// The index of names has all that a search needs, in the order of the answer: it is read until the page is full.
// OFFSET 0 makes PostgreSQL look up the found rows one by one: it expects that a tenth of all delegates are found.
/** $1, $2: the head; $3: the text; $4: limit; $5: offset. */
const SEARCH_DELEGATES = listAtHead(
  'delegates-search',
  FOUND,
  `SELECT d.*
FROM (SELECT d.username FROM delegates d WHERE ${nameContains('$3')} ORDER BY d.username LIMIT $4 OFFSET $5) found
CROSS JOIN LATERAL (SELECT * FROM delegates d WHERE d.username = found.username OFFSET 0) d
ORDER BY d.username`,
);

/** $1, $2: the head; $3: public key or null; $4: username or null. */
const SELECT_MATCHING_DELEGATES = page(
  'delegates-matching',
  'SELECT * FROM delegates d WHERE d.public_key = $3 OR d.username = $4',
  RANK,
);

const SELECT_NEWEST_DELEGATE = page(
  'delegate-newest',
  'SELECT * FROM delegates d ORDER BY d.number DESC LIMIT 1',
  'd.number DESC',
);

/** $1, $2: the head; $3: public key. */
const SELECT_FORGED = selectAtHead(
  'delegate-forged',
  'd.forged_fees AS fees, d.forged_rewards AS rewards',
  'LEFT JOIN delegates d ON d.public_key = $3',
);

// A voter has signed a transaction, so its public key is known.
const VOTER = jsonObject({ ...IDENTITY, username: 'text or null', balance: 'integer' });

// OFFSET 0: otherwise PostgreSQL may walk the balances of all accounts, from the largest down.
/** SQL of the voters of a public key, the largest balance first. */
export const votersOf = (publicKey: string): string =>
  `SELECT v.address, v.public_key, v.balance, n.username
   FROM (SELECT * FROM accounts a WHERE a.vote = ${publicKey} OFFSET 0) v LEFT JOIN delegates n ON n.address = v.address
   ORDER BY v.balance DESC, v.address`;

/** $1, $2: the head; $3: the delegate's public key; $4: limit, null for all; $5: offset; $6: the most rows of a list. */
const VOTERS = largeList('voters', VOTER, {
  columns: 'd.public_key IS NOT NULL AS is_found,',
  joins: 'LEFT JOIN delegates d ON d.public_key = $3',
  rows: votersOf('d.public_key'),
  counted: 'SELECT FROM accounts a WHERE a.vote = d.public_key',
  limit: '$4',
  offset: '$5',
  most: '$6',
});

/** Arktoshi. */
export interface ForgedTotals {
  readonly fees: bigint;
  readonly rewards: bigint;
}

/**
 * Delegates and voters as JSON with the contract's field names: one object each, separated by commas. PostgreSQL writes
 * the JSON, because parsing rows and serialising them took most of the time.
 */
export class DelegatesReader extends Reader {
  listDelegates(at: BlockRef, { sort, direction, limit, offset }: DelegatesPage): Promise<string> {
    return this.list(at, SELECT_DELEGATES[sort][direction], limit, offset);
  }

  /** Those whose username contains `text`, ignoring ASCII case, ordered by username; with weight and blocks. */
  searchDelegates(at: BlockRef, text: string, limit: number, offset: number): Promise<string> {
    return this.list(at, SEARCH_DELEGATES, text, limit, offset);
  }

  /** Those that match the public key or the username, ordered by rank. */
  listMatching(at: BlockRef, name: DelegateName): Promise<string> {
    return this.list(at, SELECT_MATCHING_DELEGATES, ...nameValues(name));
  }

  /** The delegate that registered last; empty if there is none. */
  findNewest(at: BlockRef): Promise<string> {
    return this.list(at, SELECT_NEWEST_DELEGATE);
  }

  async findForged(at: BlockRef, publicKey: string) {
    return found(await this.rows<ForgedTotals>(at, SELECT_FORGED, bytesOf('hex', publicKey)), 'fees').at(0);
  }

  /**
   * The accounts that vote for a delegate, the largest balance first; streamed if they are more than `most`. Undefined
   * if there is no such delegate.
   */
  async findVoters(at: BlockRef, publicKey: string, limit: number | null, offset: number, most: number) {
    type Row = { readonly is_found: boolean };
    const values = [bytesOf('hex', publicKey), limit, offset, most];
    const { is_found, found } = await this.largeList<Row>(at, VOTERS, ...values);
    return is_found ? found : undefined;
  }
}
