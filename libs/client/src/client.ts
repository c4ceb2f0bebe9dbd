import type { ClientOptions, RequestOptions } from './client-options.js';
import { ChainEvents, type EventOptions } from './events/chain-events.js';
import type { ChainEvent } from './events/chain-event.js';
import type { Block, Delegate, Endpoints, NoQuery, Voter } from './generated/api.js';
import { Requester } from './http/requester.js';
import { allDelegates } from './lists/all-delegates.js';
import { allVoters } from './lists/all-voters.js';
import { blocksFrom, type BlocksOptions } from './lists/blocks-from.js';

type QueryOf<P extends keyof Endpoints> = Endpoints[P]['query'];

/** The query may be left out where nothing in it is required. */
type GetArguments<P extends keyof Endpoints> =
  NoQuery extends QueryOf<P>
    ? [query?: QueryOf<P>, options?: RequestOptions]
    : [query: QueryOf<P>, options?: RequestOptions];

/**
 * One Roundhouse API. Amounts are `bigint`, in arktoshi. Every method throws a `RoundhouseError`, or the reason of the
 * signal that ended it.
 */
export class RoundhouseClient {
  private readonly requester: Requester;

  /** `url` is the address before `/api`. Throws `TypeError` where it is none. */
  constructor(url: string, options: ClientOptions = {}) {
    this.requester = new Requester(url, options);
  }

  /** Any endpoint by its path. All of an answer is of one head. */
  async get<P extends keyof Endpoints>(path: P, ...args: GetArguments<P>): Promise<Endpoints[P]['answer']> {
    const [query = {}, { signal } = {}] = args;
    return (await this.requester.getJson(path, query, signal)) as Endpoints[P]['answer'];
  }

  /**
   * Every delegate once, by public key: all that are registered the whole time. One that is registered meanwhile is among
   * them where its key comes later; one whose registration is undone meanwhile may be.
   */
  delegates(options: RequestOptions = {}): AsyncGenerator<Delegate, void> {
    return allDelegates((query) => this.get('/api/delegates', query, options));
  }

  /** Every voter of a delegate, largest balance first, all of one head: the balances add up. */
  voters(publicKey: string, options: RequestOptions = {}): AsyncGenerator<Voter, void> {
    return allVoters(() => this.get('/api/delegates/voters', { publicKey }, options));
  }

  /**
   * The blocks from a height on, ascending, up to the head or to `to`; none where the head is below it. Throws `ForkError`
   * where they no longer link, and `RangeError` for what is no height: the lowest is 1.
   */
  blocksFrom(
    height: number,
    { to, ...options }: BlocksOptions & RequestOptions = {},
  ): AsyncGenerator<Block, void> {
    return blocksFrom((query) => this.get('/api/blocks', query, options), height, { to });
  }

  /** What becomes of the head, as it happens, for ever: connects anew by itself, and misses nothing meanwhile. */
  events(options: EventOptions = {}): AsyncGenerator<ChainEvent, void> {
    return new ChainEvents(this.requester, options).listen();
  }
}
