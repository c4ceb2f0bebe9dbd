import type { BlockRef } from '@roundhouse/chain';
import { hexText } from '@roundhouse/entities/sql';
import { atHead, jsonAtHead, listAtHead, rowsAtHead } from '../at-head.js';
import type { SortDirection } from '../delegate-orders.js';
import { jsonObject } from '../json-object.js';
import type { NamedQuery, ReaderPool } from '../reader-pool.js';
import type { RowStreams } from '../row-streams.js';
import { JOIN_RANKS, RATE } from './node-delegates.reader.js';

const HAS_SECOND_KEY = 'CASE WHEN r.second_public_key IS NULL THEN 0 ELSE 1 END';

/** A row `r` of accounts with `username`. Nodes showed no members of multi-signature accounts. */
const ACCOUNT = jsonObject({
  address: { value: 'r.address', form: 'plain' },
  publicKey: { value: 'r.public_key', form: 'hex', isOptional: true },
  secondPublicKey: { value: 'r.second_public_key', form: 'hex', isOptional: true },
  username: { value: 'r.username', form: 'text', isOptional: true },
  balance: { value: 'r.balance', form: 'plain' },
  unconfirmedBalance: { value: 'r.balance', form: 'plain' },
  multisignatures: { value: `'[]'`, form: 'flag' },
  u_multisignatures: { value: `'[]'`, form: 'flag' },
  unconfirmedSignature: { value: HAS_SECOND_KEY, form: 'integer' },
  secondSignature: { value: HAS_SECOND_KEY, form: 'integer' },
});

const TOP_ACCOUNT = jsonObject({
  address: { value: 'r.address', form: 'plain' },
  balance: { value: 'r.balance', form: 'plain' },
  publicKey: { value: 'r.public_key', form: 'hex', isOptional: true },
});

const WITH_NAME = 'FROM accounts a LEFT JOIN delegates d ON d.address = a.address';

/** $1, $2: the head; $3: the address. */
const SELECT_ACCOUNT: NamedQuery = {
  name: 'node-account',
  text: atHead(
    'found.*',
    `LEFT JOIN LATERAL (
  SELECT r.balance, ${hexText('r.public_key')} AS "publicKey", ${hexText('r.vote')} AS vote, ${ACCOUNT} AS json
  FROM (SELECT a.*, d.username ${WITH_NAME} WHERE a.address = $3) r
) found ON true`,
  ),
};

/** SQL of what the list of accounts can be sorted by. Accounts without a value come last in both directions. */
const ORDER_KEYS = {
  balance: 'a.balance',
  address: 'a.address',
  username: 'd.username',
  vote: 'a.vote',
  rate: RATE,
} as const;

export interface AccountOrder {
  readonly column: keyof typeof ORDER_KEYS;
  readonly direction: SortDirection;
}

const PAGE = 'LIMIT $3::bigint OFFSET $4::bigint';

const sortBy = ({ column, direction }: AccountOrder): string =>
  `${ORDER_KEYS[column]} ${direction} NULLS LAST, a.address`;

const pageBy = (order: AccountOrder): string =>
  `SELECT a.*, d.username ${WITH_NAME} ${order.column === 'rate' ? JOIN_RANKS : ''}
ORDER BY ${sortBy(order)} ${PAGE}`;

/** $1, $2: the head; $3: limit; $4: offset. */
const selectPage = (order: AccountOrder): NamedQuery => ({
  name: `node-accounts-${order.column}-${order.direction}`,
  text: listAtHead(ACCOUNT, pageBy(order)),
});

/** The same list, for `RowStreams`. */
const streamPage = (order: AccountOrder): NamedQuery => ({
  name: `node-accounts-stream-${order.column}-${order.direction}`,
  text: atHead(
    'account.json',
    `CROSS JOIN LATERAL (SELECT ${ACCOUNT} AS json FROM (${pageBy(order)}) r OFFSET 0) account`,
  ),
});

/** $1, $2: the head; $3: an offset. */
const SELECT_REACHED: NamedQuery = {
  name: 'node-accounts-reached',
  text: atHead('EXISTS (SELECT FROM accounts OFFSET $3::bigint) AS "isReached"', ''),
};

/** $1, $2: the head; $3: limit; $4: offset. */
const SELECT_TOP: NamedQuery = {
  name: 'node-top-accounts',
  text: listAtHead(TOP_ACCOUNT, `SELECT a.* FROM accounts a ORDER BY a.balance DESC, a.number ${PAGE}`),
};

/** $1, $2: the head. */
const COUNT_ACCOUNTS: NamedQuery = {
  name: 'node-account-count',
  text: atHead('(SELECT count(*)::integer FROM accounts) AS count', ''),
};

export interface NodeAccountRow {
  /** Arktoshi. */
  readonly balance: bigint;
  readonly publicKey: string | null;
  /** The public key of the delegate that the account votes for. */
  readonly vote: string | null;
  /** The account as nodes showed it. */
  readonly json: string;
}

/** Accounts as nodes of 2.x listed them; lists are JSON objects, separated by commas. Every method throws `HeadPassedError`. */
export class NodeAccountsReader {
  /** @param lists for queries whose cost grows with the number of accounts */
  constructor(
    private readonly pool: ReaderPool,
    private readonly lists: ReaderPool,
  ) {}

  async findAccount(at: BlockRef, address: string): Promise<NodeAccountRow | null> {
    type Row = NodeAccountRow | { readonly json: null };
    const [row] = await rowsAtHead<Row>(this.pool, at, SELECT_ACCOUNT, [address]);
    return row!.json === null ? null : row!;
  }

  listAccounts(at: BlockRef, order: AccountOrder, limit: number, offset: number): Promise<string> {
    return jsonAtHead(this.lists, at, selectPage(order), [limit, offset]);
  }

  /** Whether there are accounts after the offset. */
  async hasAccountsAfter(at: BlockRef, offset: number): Promise<boolean> {
    const [row] = await rowsAtHead<{ readonly isReached: boolean }>(this.lists, at, SELECT_REACHED, [offset]);
    return row!.isReached;
  }

  /** The largest balances first, with address and public key only. */
  listTop(at: BlockRef, limit: number, offset: number): Promise<string> {
    return jsonAtHead(this.lists, at, SELECT_TOP, [limit, offset]);
  }

  async countAccounts(at: BlockRef): Promise<number> {
    const [row] = await rowsAtHead<{ readonly count: number }>(this.lists, at, COUNT_ACCOUNTS);
    return row!.count;
  }
}

/** The same accounts in pieces. There must be at least one: see `RowStreams.read`. */
export const streamNodeAccounts = (
  streams: RowStreams,
  at: BlockRef,
  order: AccountOrder,
  limit: number,
  offset: number,
): AsyncGenerator<Buffer, void, undefined> => streams.read(at, streamPage(order), [limit, offset]);
