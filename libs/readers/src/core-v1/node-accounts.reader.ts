import type { BlockRef } from '@roundhouse/chain';
import { hexText } from '@roundhouse/entities/sql';
import {
  atHead,
  found,
  listAtHead,
  type ListOrStream,
  named,
  Reader,
  type ReaderPool,
  rowsAtHead,
  streamAtHead,
} from '../at-head.js';
import { inEachOrder } from '../delegate-orders.js';
import { jsonObject } from '../json-object.js';
import type { ListOrder } from './list-filters.js';
import { JOIN_RANKS, RATE } from './node-delegates.reader.js';

const HAS_SECOND_KEY = 'CASE WHEN r.second_public_key IS NULL THEN 0 ELSE 1 END';

/** A row `r` of accounts with `username`. Nodes showed no members of multi-signature accounts. */
const ACCOUNT = jsonObject({
  ...({ address: 'plain', publicKey: 'hex?', secondPublicKey: 'hex?', username: 'text?' } as const),
  ...({ balance: 'plain', unconfirmedBalance: ['plain', 'r.balance'] } as const),
  ...({ multisignatures: ['flag', `'[]'`], u_multisignatures: ['flag', `'[]'`] } as const),
  unconfirmedSignature: ['integer', HAS_SECOND_KEY],
  secondSignature: ['integer', HAS_SECOND_KEY],
});

const TOP_ACCOUNT = jsonObject({ address: 'plain', balance: 'plain', publicKey: 'hex?' });

const WITH_NAME = 'FROM accounts a LEFT JOIN delegates d ON d.address = a.address';

/** $1, $2: the head; $3: the address. */
const SELECT_ACCOUNT = named(
  'node-account',
  atHead(
    'found.*',
    `LEFT JOIN LATERAL (
  SELECT r.balance, ${hexText('r.public_key')} AS "publicKey", ${hexText('r.vote')} AS vote, ${ACCOUNT} AS json
  FROM (SELECT a.*, d.username ${WITH_NAME} WHERE a.address = $3) r
) found ON true`,
  ),
);

/** SQL of what the list of accounts can be sorted by. Accounts without a value come last in both directions. */
const ORDER_KEYS = {
  balance: 'a.balance',
  address: 'a.address',
  username: 'd.username',
  vote: 'a.vote',
  rate: RATE,
} as const;

type AccountColumn = keyof typeof ORDER_KEYS;

export const NODE_ACCOUNT_SORTS = Object.keys(ORDER_KEYS) as AccountColumn[];

export type AccountOrder = ListOrder<AccountColumn>;

const PAGE = 'LIMIT $3::bigint OFFSET $4::bigint';

/** $1, $2: the head; $3: limit; $4: offset. */
const PAGES = inEachOrder(ORDER_KEYS, (column, direction) => {
  const rows = `SELECT a.*, d.username ${WITH_NAME} ${column === 'rate' ? JOIN_RANKS : ''}
ORDER BY ${ORDER_KEYS[column]} ${direction} NULLS LAST, a.address ${PAGE}`;
  return {
    listed: listAtHead(`node-accounts-${column}-${direction}`, ACCOUNT, rows),
    streamed: streamAtHead(`node-accounts-stream-${column}-${direction}`, ACCOUNT, rows),
  };
});

/** $1, $2: the head; $3: an offset. */
const SELECT_REACHED = named(
  'node-accounts-reached',
  atHead('EXISTS (SELECT FROM accounts OFFSET $3::bigint) AS "isReached"'),
);

/** $1, $2: the head; $3: limit; $4: offset. */
const SELECT_TOP = listAtHead(
  'node-top-accounts',
  TOP_ACCOUNT,
  `SELECT a.* FROM accounts a ORDER BY a.balance DESC, a.number ${PAGE}`,
);

/** $1, $2: the head. */
const COUNT_ACCOUNTS = named(
  'node-account-count',
  atHead('(SELECT count(*)::integer FROM accounts) AS count'),
);

interface NodeAccountRow {
  /** Arktoshi. */
  readonly balance: bigint;
  readonly publicKey: string | null;
  /** The public key of the delegate that the account votes for. */
  readonly vote: string | null;
  /** The account as nodes showed it. */
  readonly json: string;
}

/** Accounts as nodes of 2.x listed them; lists are JSON objects, separated by commas. */
export class NodeAccountsReader extends Reader {
  /** @param lists for queries whose cost grows with the number of accounts */
  constructor(
    private readonly common: ReaderPool,
    lists: ReaderPool,
  ) {
    super(lists);
  }

  async findAccount(at: BlockRef, address: string): Promise<NodeAccountRow | undefined> {
    return found(await rowsAtHead<NodeAccountRow>(this.common, at, SELECT_ACCOUNT, address), 'json')[0];
  }

  /** Those after the offset; streamed if there are any and `limit` is larger than `most`. */
  async listAccounts(
    at: BlockRef,
    { column, direction }: AccountOrder,
    limit: number,
    offset: number,
    most: number,
  ): Promise<ListOrStream> {
    type Reached = { readonly isReached: boolean };
    if (limit > most && (await this.row<Reached>(at, SELECT_REACHED, offset)).isReached)
      return (streams) => streams.read(at, PAGES[column][direction].streamed, [limit, offset]);
    return this.list(at, PAGES[column][direction].listed, limit, offset);
  }

  /** The largest balances first, with address and public key only. */
  listTop(at: BlockRef, limit: number, offset: number): Promise<string> {
    return this.list(at, SELECT_TOP, limit, offset);
  }

  async countAccounts(at: BlockRef): Promise<number> {
    return (await this.row<{ readonly count: number }>(at, COUNT_ACCOUNTS)).count;
  }
}
