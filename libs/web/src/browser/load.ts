import type {
  AccountResponse,
  BlockResponse,
  ChainStatusResponse,
  DelegateRound,
  DelegateRoundsResponse,
  SearchResponse,
  StatusDelegate,
  StatusDelegatesResponse,
  TransactionResponse,
  TransactionsResponse,
  VotersResponse,
} from '@roundhouse/client';
import type { DelegateList, PageLocation } from '../page/location.js';
import {
  delegatesQuery,
  delegateView,
  mayBeUsername,
  ROUNDS_PER_CHART,
  transactionsQuery,
  VOTERS_TO_READ,
  type OverviewView,
  type TransactionList,
  type View,
} from '../page/page-state.js';
import { parseAnswer } from '../status/parse-answer.js';
import { learnClock } from './clock.js';

const TIMEOUT_MS = 10_000;

/** The server answered with an error status. */
export class RefusedError extends Error {
  constructor(readonly status: number) {
    super(`The server answered ${status}.`);
  }
}

const get = async <T>(path: string): Promise<T> => {
  const response = await fetch(path, { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) });
  learnClock(response);
  if (!response.ok) throw new RefusedError(response.status);
  return parseAnswer(await response.text());
};

export const loadStatus = (): Promise<ChainStatusResponse> => get('/status.json');

const loadDelegates = (query: Record<string, string>): Promise<StatusDelegatesResponse> =>
  get(`/delegates.json?${new URLSearchParams(query).toString()}`);

const listDelegates = async (list: DelegateList): Promise<Pick<OverviewView, 'delegates' | 'count'>> =>
  mayBeUsername(list.search) ? loadDelegates(delegatesQuery(list)) : { delegates: [], count: 0 };

const search = async (text: string): Promise<OverviewView['found']> =>
  text === '' ? null : get<SearchResponse>(`/api/search?${new URLSearchParams({ q: text }).toString()}`);

const CURSOR_PASSED = 409;

/** @param of the path of a block or of an account */
const listTransactions = async (of: string, cursor: string): Promise<TransactionList> => {
  const page = (query: Record<string, string>): Promise<TransactionsResponse> =>
    get(`${of}/transactions?${new URLSearchParams(query).toString()}`);
  return page(transactionsQuery(cursor)).catch((error: unknown) => {
    // A fork has undone where the page before ended: show the first page.
    if (error instanceof RefusedError && error.status === CURSOR_PASSED) return page(transactionsQuery(''));
    throw error;
  });
};

/** What the page has already. */
export interface Loaded {
  readonly status: ChainStatusResponse;
  readonly view: View | null;
}

const HISTORY_IS_OFF = 501;

/** They change only when a round ends, so until then those that are shown are kept. */
const listRounds = async (
  { publicKey }: StatusDelegate,
  { status, view }: Loaded,
): Promise<readonly DelegateRound[]> => {
  const { dataset } = document.body;
  if (!('history' in dataset)) return [];
  const shown = view?.kind === 'delegate' && view.delegate.publicKey === publicKey ? view.rounds : [];
  if (shown[0] && shown[0].round >= status.round.round - 1) return shown;
  const path = `/api/history/delegates/${publicKey}/rounds?limit=${ROUNDS_PER_CHART}`;
  return get<DelegateRoundsResponse>(path).then(
    ({ rounds }) => rounds,
    (error: unknown) => {
      if (!(error instanceof RefusedError) || error.status !== HISTORY_IS_OFF) throw error;
      // A rebuild has dropped the history since the server made the page.
      delete dataset['history'];
      return [];
    },
  );
};

/** Loads what a view shows in addition to the status. Throws `RefusedError` if there is no such thing. */
export const loadView = async (location: PageLocation, loaded: Loaded): Promise<View> => {
  switch (location.view) {
    case 'overview': {
      const { list } = location;
      const [{ delegates, count }, found] = await Promise.all([listDelegates(list), search(list.search)]);
      return { kind: 'overview', list, delegates, count, found };
    }
    case 'block': {
      const { block } = await get<BlockResponse>(`/api/blocks/get?id=${encodeURIComponent(location.id)}`);
      const [{ delegates }, list] = await Promise.all([
        loadDelegates({ publicKey: block.generatorPublicKey }),
        listTransactions(`/api/blocks/${block.id}`, location.cursor),
      ]);
      return { kind: 'block', block, forger: delegates[0]?.username ?? null, isUndone: false, list };
    }
    case 'account': {
      // In the path, the usernames `.` and `..` would be folders.
      const path = `/api/accounts/-?account=${encodeURIComponent(location.name)}`;
      const { account } = await get<AccountResponse>(path);
      const list = await listTransactions(`/api/accounts/${account.address}`, location.cursor);
      return { kind: 'account', account, list };
    }
    case 'transaction': {
      const path = `/api/transactions/${encodeURIComponent(location.id)}`;
      const { transaction } = await get<TransactionResponse>(path);
      return { kind: 'transaction', transaction, isUndone: false };
    }
    case 'delegate': {
      const { username, offset } = location;
      const [delegate] = (await loadDelegates({ username })).delegates;
      if (!delegate) throw new RefusedError(404);
      const query = `publicKey=${delegate.publicKey}&limit=${VOTERS_TO_READ}&offset=${offset}`;
      const [{ accounts }, rounds] = await Promise.all([
        get<VotersResponse>(`/api/delegates/voters?${query}`),
        listRounds(delegate, loaded),
      ]);
      return delegateView(delegate, accounts, offset, rounds);
    }
  }
};
