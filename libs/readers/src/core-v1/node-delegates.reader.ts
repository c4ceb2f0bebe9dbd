import type { BlockRef } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import { largeList, listAtHead, type ListOrStream, Reader } from '../at-head.js';
import { inEachOrder } from '../delegate-orders.js';
import { votersOf } from '../delegates.reader.js';
import { jsonObject } from '../json-object.js';
import type { ListOrder } from './list-filters.js';

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
  ...({ username: 'text', address: 'plain', publicKey: 'hex', vote: ['plain', 'r.weight'] } as const),
  producedblocks: ['integer', 'r.produced_blocks'],
  ...({ rate: 'integer?', approval: 'integer' } as const),
});

/** The expression of each sort; `votes` is the weight. `d` is the delegate, `a` its account. */
const SORTED_BY = {
  rate: RATE,
  username: 'd.username',
  address: 'd.address',
  vote: 'a.vote',
  balance: 'a.balance',
  votes: 'd.weight',
  approval: APPROVAL,
  resigned: 'd.is_resigned',
  /** The node's order is arbitrary. */
  none: 'NULL::integer',
} as const;

type NodeDelegateSort = keyof typeof SORTED_BY;

export const NODE_DELEGATE_SORTS = Object.keys(SORTED_BY) as NodeDelegateSort[];

export type NodeDelegateOrder = ListOrder<NodeDelegateSort>;

// Rows without the value come last both ways; ties, which a node leaves in any order, are by public key.
/** $1, $2: the head; $3: limit; $4: offset. */
const SELECT_DELEGATES = inEachOrder(SORTED_BY, (sort, direction) =>
  listAtHead(
    `node-delegates-${sort}-${direction}`,
    DELEGATE,
    `SELECT ${DELEGATE_COLUMNS} FROM delegates d LEFT JOIN accounts a ON a.address = d.address ${JOIN_RANKS}
ORDER BY ${SORTED_BY[sort]} ${direction} NULLS LAST, d.public_key LIMIT $3 OFFSET $4`,
  ),
);

/** $1, $2: the head; $3: a text; $4, $5: the slice of the matching rows, as of JavaScript. */
const SEARCH_DELEGATES = listAtHead(
  'node-delegates-search',
  DELEGATE,
  `SELECT * FROM (
  SELECT ${DELEGATE_COLUMNS}, row_number() OVER (ORDER BY ${RATE} NULLS LAST, d.public_key) AS place, count(*) OVER () AS size
  FROM delegates d ${JOIN_RANKS} WHERE strpos(d.username, $3) > 0
) d
WHERE place > CASE WHEN $4::integer < 0 THEN size + $4::integer ELSE $4::integer END
  AND place <= CASE WHEN $5::integer < 0 THEN size + $5::integer ELSE $5::integer END
ORDER BY place`,
);

/** $1, $2: the head; $3: a public key or null; $4: a username or an address. */
const SELECT_DELEGATE = listAtHead(
  'node-delegate',
  DELEGATE,
  `SELECT ${DELEGATE_COLUMNS} FROM delegates d ${JOIN_RANKS} WHERE d.public_key = $3 OR d.username = $4 OR d.address = $4 LIMIT 1`,
);

// A voter has signed a transaction, so its public key is known.
const VOTER = jsonObject({ address: 'plain', username: 'text?', publicKey: 'hex', balance: 'plain' });

/** $1, $2: the head; $3: a public key; $4: the most rows of a list. */
const VOTERS = largeList('node-voters', VOTER, {
  rows: votersOf('$3'),
  counted: 'SELECT FROM accounts a WHERE a.vote = $3',
  most: '$4',
});

/** PostgreSQL has no such text, so no name contains it. */
const holdsNul = (text: string): boolean => text.includes('\0');

/** Delegates and voters as a node showed them, as JSON objects separated by commas. */
export class NodeDelegatesReader extends Reader {
  listDelegates(
    at: BlockRef,
    { column, direction }: NodeDelegateOrder,
    limit: number,
    offset: number,
  ): Promise<string> {
    return this.list(at, SELECT_DELEGATES[column][direction], limit, offset);
  }

  /** Those whose username contains `text`, the best ranks first; a slice of them, as of JavaScript. */
  async searchDelegates(at: BlockRef, text: string, from: number, to: number): Promise<string> {
    return holdsNul(text) ? '' : this.list(at, SEARCH_DELEGATES, text, from, to);
  }

  /** The delegate with this public key, username or address; empty if there is none. */
  async findDelegate(at: BlockRef, id: string): Promise<string> {
    const key = /^0[23][0-9a-f]{64}$/.test(id) ? bytesOf('hex', id) : null;
    return holdsNul(id) ? '' : this.list(at, SELECT_DELEGATE, key, id);
  }

  /** The accounts that vote for a key, registered or not, the largest balance first; streamed if they are more than `most`. */
  async findVoters(at: BlockRef, publicKey: string, most: number): Promise<ListOrStream> {
    return (await this.largeList(at, VOTERS, bytesOf('hex', publicKey), most)).found;
  }
}
