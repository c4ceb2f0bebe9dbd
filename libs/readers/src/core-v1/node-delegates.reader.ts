import type { BlockRef } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import { atHead, joinList, jsonAtHead, jsonOf, listAtHead, rowsAtHead, type JsonRow } from '../at-head.js';
import { jsonObject } from '../json-object.js';
import type { NamedQuery, ReaderPool } from '../reader-pool.js';
import type { RowStreams } from '../row-streams.js';

/** SQL of the rank of delegate `d`, with `JOIN_RANKS`. */
export const RATE = 'coalesce(ranked.rank, nullif(d.last_rank, 0))';

/** SQL that joins the rank of delegate `d` at the last round end. A resigned one has its last. */
export const JOIN_RANKS = `LEFT JOIN unnest((SELECT delegates FROM rankings ORDER BY height DESC LIMIT 1))
  WITH ORDINALITY AS ranked (number, rank) ON ranked.number = d.number`;

/** The share of the supply that votes for the delegate, in percent with two digits, as the node rounds. */
const APPROVAL = 'trim_scale(round(d.weight::numeric * 100 / h.supply, 2))';

const DELEGATE_COLUMNS = `d.username, d.address, d.public_key, d.weight, d.produced_blocks, ${RATE} AS rate, ${APPROVAL} AS approval`;

/** SQL of a delegate; `vote` is its weight. */
const DELEGATE = jsonObject({
  username: { value: 'r.username', form: 'text' },
  address: { value: 'r.address', form: 'plain' },
  publicKey: { value: 'r.public_key', form: 'hex' },
  vote: { value: 'r.weight', form: 'plain' },
  producedblocks: { value: 'r.produced_blocks', form: 'integer' },
  rate: { value: 'r.rate', form: 'integer', isOptional: true },
  approval: { value: 'r.approval', form: 'integer' },
});

/** What lists of delegates can be sorted by; `votes` is the weight. `none`: the node's order is arbitrary. */
export type NodeDelegateSort =
  'rate' | 'username' | 'address' | 'vote' | 'balance' | 'votes' | 'approval' | 'resigned' | 'none';

export type NodeDirection = 'asc' | 'desc';

/** The expression of each sort. `d` is the delegate, `a` its account. */
const SORTED_BY: Readonly<Record<NodeDelegateSort, string>> = {
  rate: RATE,
  username: 'd.username',
  address: 'd.address',
  vote: 'a.vote',
  balance: 'a.balance',
  votes: 'd.weight',
  approval: APPROVAL,
  resigned: 'd.is_resigned',
  none: 'NULL::integer',
};

/** Rows without the value come last both ways; ties, which a node leaves in any order, are by public key. */
const listBy = (sort: NodeDelegateSort, direction: NodeDirection): NamedQuery => ({
  name: `node-delegates-${sort}-${direction}`,
  text: listAtHead(
    DELEGATE,
    `SELECT ${DELEGATE_COLUMNS} FROM delegates d LEFT JOIN accounts a ON a.address = d.address ${JOIN_RANKS}
ORDER BY ${SORTED_BY[sort]} ${direction} NULLS LAST, d.public_key LIMIT $3 OFFSET $4`,
  ),
});

/** $1, $2: the head; $3: limit; $4: offset. */
const SELECT_DELEGATES = Object.fromEntries(
  (Object.keys(SORTED_BY) as NodeDelegateSort[]).map((sort) => [
    sort,
    { asc: listBy(sort, 'asc'), desc: listBy(sort, 'desc') },
  ]),
) as Record<NodeDelegateSort, Record<NodeDirection, NamedQuery>>;

/** $1, $2: the head; $3: a text; $4, $5: the slice of the matching rows, as of JavaScript. */
const SEARCH_DELEGATES: NamedQuery = {
  name: 'node-delegates-search',
  text: listAtHead(
    DELEGATE,
    `SELECT * FROM (
  SELECT ${DELEGATE_COLUMNS}, row_number() OVER (ORDER BY ${RATE} NULLS LAST, d.public_key) AS place, count(*) OVER () AS size
  FROM delegates d ${JOIN_RANKS} WHERE strpos(d.username, $3) > 0
) d
WHERE place > CASE WHEN $4::integer < 0 THEN size + $4::integer ELSE $4::integer END
  AND place <= CASE WHEN $5::integer < 0 THEN size + $5::integer ELSE $5::integer END
ORDER BY place`,
  ),
};

/** $1, $2: the head; $3: a public key or null; $4: a username or an address. */
const SELECT_DELEGATE: NamedQuery = {
  name: 'node-delegate',
  text: listAtHead(
    DELEGATE,
    `SELECT ${DELEGATE_COLUMNS} FROM delegates d ${JOIN_RANKS} WHERE d.public_key = $3 OR d.username = $4 OR d.address = $4 LIMIT 1`,
  ),
};

// A voter has signed a transaction, so its public key is known.
const VOTER = jsonObject({
  address: { value: 'r.address', form: 'plain' },
  username: { value: 'r.username', form: 'text', isOptional: true },
  publicKey: { value: 'r.public_key', form: 'hex' },
  balance: { value: 'r.balance', form: 'plain' },
});

// OFFSET 0 keeps PostgreSQL from walking the balances of all accounts.
const VOTERS = `SELECT v.address, v.public_key, v.balance, n.username
   FROM (SELECT * FROM accounts a WHERE a.vote = $3 OFFSET 0) v LEFT JOIN delegates n ON n.address = v.address
   ORDER BY v.balance DESC, v.address`;

/** $1, $2: the head; $3: a public key; $4: the most rows of a list. */
const SELECT_VOTERS: NamedQuery = {
  name: 'node-voters',
  text: atHead(
    'size.is_large, list.json, list.lost',
    `CROSS JOIN LATERAL (
  SELECT count(*) > $4::bigint AS is_large FROM (SELECT FROM accounts a WHERE a.vote = $3 LIMIT $4::bigint + 1) v
) size
${joinList(VOTER, `${VOTERS} LIMIT CASE WHEN size.is_large THEN 0 END`)}`,
  ),
};

/** The same list, for `RowStreams`. */
const STREAM_VOTERS: NamedQuery = {
  name: 'node-voters-stream',
  text: atHead(
    'voter.json',
    `CROSS JOIN LATERAL (SELECT ${VOTER} AS json FROM (${VOTERS}) r OFFSET 0) voter`,
  ),
};

/** PostgreSQL has no such text, so no name contains it. */
const holdsNul = (text: string): boolean => text.includes('\0');

type NodeVoters = { readonly kind: 'listed'; readonly voters: string } | { readonly kind: 'large' };

/** Delegates and voters as a node showed them, as JSON objects separated by commas. Throws `HeadPassedError`. */
export class NodeDelegatesReader {
  constructor(private readonly pool: ReaderPool) {}

  listDelegates(
    at: BlockRef,
    sort: NodeDelegateSort,
    direction: NodeDirection,
    limit: number,
    offset: number,
  ): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_DELEGATES[sort][direction], [limit, offset]);
  }

  /** Those whose username contains `text`, the best ranks first; a slice of them, as of JavaScript. */
  searchDelegates(at: BlockRef, text: string, from: number, to: number): Promise<string> {
    if (holdsNul(text)) return Promise.resolve('');
    return jsonAtHead(this.pool, at, SEARCH_DELEGATES, [text, from, to]);
  }

  /** The delegate with this public key, username or address; empty if there is none. */
  findDelegate(at: BlockRef, id: string): Promise<string> {
    if (holdsNul(id)) return Promise.resolve('');
    const key = /^0[23][0-9a-f]{64}$/.test(id) ? bytesOf('hex', id) : null;
    return jsonAtHead(this.pool, at, SELECT_DELEGATE, [key, id]);
  }

  /** The accounts that vote for a key, registered or not, the largest balance first, if they are no more than `most`. */
  async findVoters(at: BlockRef, publicKey: string, most: number): Promise<NodeVoters> {
    type Row = JsonRow & { readonly is_large: boolean };
    const [row] = await rowsAtHead<Row>(this.pool, at, SELECT_VOTERS, [bytesOf('hex', publicKey), most]);
    return row!.is_large ? { kind: 'large' } : { kind: 'listed', voters: jsonOf(SELECT_VOTERS, row!) };
  }
}

/** The same voters in pieces. There must be at least one: see `RowStreams.read`. */
export const streamNodeVoters = (
  streams: RowStreams,
  at: BlockRef,
  publicKey: string,
): AsyncGenerator<Buffer, void, undefined> => streams.read(at, STREAM_VOTERS, [bytesOf('hex', publicKey)]);
