import type { ClientOptions, RequestOptions } from './client-options.js';
import { ChainEvents, type EventOptions } from './events/chain-events.js';
import type { ChainEvent } from './events/chain-event.js';
import type { Account, Block, Delegate, Endpoints, NoQuery, Transaction, Voter } from './generated/api.js';
import type { CoreV2Endpoints } from './generated/core-v2.js';
import { History } from './history.js';
import { Requester } from './http/requester.js';
import { wait } from './http/wait.js';
import { allDelegates } from './lists/all-delegates.js';
import { allAccounts, allTransactions } from './lists/all-pages.js';
import { blocksFrom, PAUSE_MS, type BlocksOptions } from './lists/blocks-from.js';

interface AllEndpoints extends Endpoints, CoreV2Endpoints {}

type QueryOf<P extends keyof AllEndpoints> = AllEndpoints[P]['query'];

/** The query is optional if none of its parameters is required. */
type GetArguments<P extends keyof AllEndpoints> =
  NoQuery extends QueryOf<P>
    ? [query?: QueryOf<P>, options?: RequestOptions]
    : [query: QueryOf<P>, options?: RequestOptions];

/** What transactions must have; amounts are in arktoshi. */
export type TransactionConditions = Omit<QueryOf<'/api/transactions'>, 'cursor' | 'limit'>;

const STATEMENT = '/api/accounts/{account}/statement';

/** A period of a statement: heights, days or seconds. */
export type StatementRange = Omit<QueryOf<typeof STATEMENT>, 'account' | 'format'>;

/**
 * A client of one Roundhouse API. Amounts are `bigint`, in arktoshi. Every method throws a `RoundhouseError`, or the
 * reason of the signal that aborted it.
 */
export class RoundhouseClient {
  /** The chain at any height. */
  readonly history: History;
  private readonly requester: Requester;

  /** `url` is the address without `/api`. Throws `TypeError` if it is not an HTTP URL. */
  constructor(url: string, options: ClientOptions = {}) {
    this.requester = new Requester(url, options);
    this.history = new History(this.requester);
  }

  /**
   * Requests any endpoint by its path, also those of Core's version 2 (`/api/v2/…`, whose amounts are text); parameters of
   * the path are given like those of the query. All values in one answer belong to the same head.
   */
  async get<P extends keyof AllEndpoints>(
    path: P,
    ...args: GetArguments<P>
  ): Promise<AllEndpoints[P]['answer']> {
    const [query = {}, { signal } = {}] = args;
    return (await this.requester.getJson(path, query, signal)) as AllEndpoints[P]['answer'];
  }

  /**
   * Returns each delegate once, ordered by public key. A delegate that is registered from the beginning of the
   * iteration to its end is never missing. One that registers meanwhile appears if its key belongs on a page that is
   * not requested yet. One whose registration is undone meanwhile may appear.
   */
  delegates(options: RequestOptions = {}): AsyncGenerator<Delegate, void> {
    return allDelegates((query) => this.get('/api/delegates', query, options));
  }

  /** Returns all voters of a delegate, largest balance first. They all belong to one head, so the balances add up. */
  async *voters(publicKey: string, options: RequestOptions = {}): AsyncGenerator<Voter, void> {
    // All in one answer: pages of different heads could count a coin twice, or not at all.
    const { accounts } = await this.get('/api/delegates/voters', { publicKey }, options);
    yield* accounts;
  }

  /**
   * Returns the blocks from `height` up to the head or `to`, ascending; none if the head is lower. Throws `ForkError`
   * if a block does not link to the one before, and `RangeError` if a height is not a whole number of at least 1.
   */
  blocksFrom(
    height: number,
    { to, ...options }: BlocksOptions & RequestOptions = {},
  ): AsyncGenerator<Block, void> {
    const reading = {
      getPage: (query: Endpoints['/api/blocks']['query']) => this.get('/api/blocks', query, options),
      pause: () => wait(PAUSE_MS, options.signal),
    };
    return blocksFrom(reading, height, { to });
  }

  /**
   * Returns the transactions that meet all conditions, newest first. Blocks that arrive meanwhile change nothing. Throws
   * `ForkError` if a fork undoes a block that was reached.
   */
  transactions(
    conditions: TransactionConditions = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Transaction, void> {
    return allTransactions((page) => this.get('/api/transactions', { ...conditions, ...page }, options));
  }

  /**
   * Returns each account at most once, largest balance first. An account whose balance changes meanwhile may be missing,
   * and shows its balance of the head at which its page was made.
   */
  accounts(options: RequestOptions = {}): AsyncGenerator<Account, void> {
    return allAccounts((page) => this.get('/api/accounts', page, options));
  }

  /** A statement as CSV: a line with the names of the columns, then "opening", each change of the balance, and "closing". */
  statementCsv(
    account: string,
    range: StatementRange = {},
    { signal }: RequestOptions = {},
  ): Promise<string> {
    return this.requester.getText(STATEMENT, { ...range, account, format: 'csv' }, 'text/csv', signal);
  }

  /**
   * Returns changes of the head as they happen, without end. Reconnects by itself, and then continues after the last
   * event.
   */
  events(options: EventOptions = {}): AsyncGenerator<ChainEvent, void> {
    return new ChainEvents(this.requester, options).listen();
  }
}
