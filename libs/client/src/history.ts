import type { RequestOptions } from './client-options.js';
import { ApiError, ForkError } from './errors.js';
import type {
  AccountChangesResponse,
  Endpoints,
  PastAccount,
  PastDelegate,
  PastVoter,
  DelegateRound,
  AccountChange,
  PayoutsResponse,
} from './generated/api.js';
import type { Requester } from './http/requester.js';

const PAYOUTS = '/api/history/delegates/{delegate}/payouts';

/** The range of heights, and how its blocks are shared. Amounts are in arktoshi. */
export type PayoutOptions = Omit<Endpoints[typeof PAYOUTS]['query'], 'delegate' | 'format'>;

const CURSOR_PASSED = 409;

/**
 * The chain as it was after the block at any height. Every method throws a `RoundhouseError`: an `ApiError` with status
 * 404 if the height is above the head, or with 501 if the index keeps no history.
 */
export class History {
  constructor(private readonly requester: Requester) {}

  /** Tokens of the genesis block plus all rewards up to the height, in arktoshi. */
  async supply(height: number, options: RequestOptions = {}): Promise<bigint> {
    return (await this.get('/api/history/supply', { height }, options)).supply;
  }

  /** @param address or a public key */
  async account(address: string, height: number, options: RequestOptions = {}): Promise<PastAccount> {
    return (await this.get('/api/history/accounts/{address}', { address, height }, options)).account;
  }

  /**
   * Returns each change of an account, newest first. Blocks that arrive meanwhile change nothing. Throws `ForkError` if
   * a fork undoes a block whose change was already returned.
   */
  async *changes(address: string, options: RequestOptions = {}): AsyncGenerator<AccountChange, void> {
    let cursor: string | undefined;
    let last: AccountChange | undefined;
    do {
      let page: AccountChangesResponse;
      try {
        page = await this.get('/api/history/accounts/{address}/changes', { address, cursor }, options);
      } catch (error) {
        if (last && error instanceof ApiError && error.status === CURSOR_PASSED)
          throw new ForkError(last.height, last.blockId);
        throw error;
      }
      yield* page.changes;
      last = page.changes.at(-1) ?? last;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** All delegates that were registered, by rank. */
  async delegates(height: number, options: RequestOptions = {}): Promise<readonly PastDelegate[]> {
    return (await this.get('/api/history/delegates', { height }, options)).delegates;
  }

  /** @param delegate a username or a public key, as in the methods below */
  async voters(
    delegate: string,
    height: number,
    options: RequestOptions = {},
  ): Promise<readonly PastVoter[]> {
    const path = '/api/history/delegates/{delegate}/voters';
    return (await this.get(path, { delegate, height }, options)).accounts;
  }

  /** Weights and rank at the ends of the last rounds, newest first, and whether it forges in the next one. */
  async rounds(
    delegate: string,
    limit: number,
    options: RequestOptions = {},
  ): Promise<readonly DelegateRound[]> {
    const path = '/api/history/delegates/{delegate}/rounds';
    return (await this.get(path, { delegate, limit }, options)).rounds;
  }

  /** What each voter gets of the blocks that the delegate forged from `from` to `to`. */
  payouts(delegate: string, payouts: PayoutOptions, options: RequestOptions = {}): Promise<PayoutsResponse> {
    return this.get(PAYOUTS, { ...payouts, delegate }, options);
  }

  /** The same payouts as CSV: a line with the names of the columns, then `address,amount` for each voter. */
  payoutsCsv(delegate: string, payouts: PayoutOptions, { signal }: RequestOptions = {}): Promise<string> {
    return this.requester.getText(PAYOUTS, { ...payouts, delegate, format: 'csv' }, 'text/csv', signal);
  }

  private async get<P extends keyof Endpoints>(
    path: P,
    query: Endpoints[P]['query'],
    { signal }: RequestOptions,
  ): Promise<Endpoints[P]['answer']> {
    return (await this.requester.getJson(path, query, signal)) as Endpoints[P]['answer'];
  }
}
