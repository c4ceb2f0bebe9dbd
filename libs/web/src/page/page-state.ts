import type {
  Account,
  Block,
  ChainStatusResponse,
  DelegateRound,
  SearchResponse,
  StatusDelegate,
  Transaction,
  TransactionsResponse,
  Voter,
} from '@roundhouse/client';
import { writeOrder, type DelegateList } from './location.js';

export const VOTERS_PER_PAGE = 50;

/** Ask for one voter more than a page shows, to know whether there are more. */
export const VOTERS_TO_READ = VOTERS_PER_PAGE + 1;

export const DELEGATES_PER_PAGE = 100;

/** How many rounds the charts of a delegate show. */
export const ROUNDS_PER_CHART = 100;

export interface OverviewView {
  readonly kind: 'overview';
  readonly list: DelegateList;
  /** The page of `list`. */
  readonly delegates: readonly StatusDelegate[];
  /** How many delegates `list` has on all pages. */
  readonly count: number;
  /** What else the search found; null without a search. */
  readonly found: Omit<SearchResponse, 'success'> | null;
}

/** A page of transactions, and the cursor of the next one. */
export type TransactionList = Omit<TransactionsResponse, 'success'>;

export interface DelegateView {
  readonly kind: 'delegate';
  readonly delegate: StatusDelegate;
  readonly voters: readonly Voter[];
  readonly offset: number;
  readonly hasMoreVoters: boolean;
  /** The last ones that ended, newest first. None if the index keeps no history. */
  readonly rounds: readonly DelegateRound[];
}

export interface BlockView {
  readonly kind: 'block';
  readonly block: Block;
  /** Null if no delegate forged it (the genesis block). */
  readonly forger: string | null;
  readonly isUndone: boolean;
  readonly list: TransactionList;
}

export interface AccountView {
  readonly kind: 'account';
  readonly account: Account;
  readonly list: TransactionList;
}

export interface TransactionView {
  readonly kind: 'transaction';
  readonly transaction: Transaction;
  readonly isUndone: boolean;
}

/** What the main part of the page shows. */
export type View = OverviewView | DelegateView | BlockView | AccountView | TransactionView;

export interface PageState {
  readonly status: ChainStatusResponse;
  readonly view: View;
  /** Milliseconds since 1970, or null without a running clock: the page then shows times of day. */
  readonly now: number | null;
}

/** What a server sends. */
export interface ServedState extends PageState {
  /** Whether the index keeps history. If not, the scripts do not ask for any. */
  readonly hasHistory: boolean;
}

/** A longer text is in no name, and /delegates.json refuses it. */
const LONGEST_USERNAME = 20;

export const mayBeUsername = (text: string): boolean => [...text].length <= LONGEST_USERNAME;

/** How many transactions the page shows at a time. */
export const TRANSACTIONS_PER_PAGE = 25;

/** The query of a page of transactions. */
export const transactionsQuery = (cursor: string): Record<string, string> => ({
  limit: String(TRANSACTIONS_PER_PAGE),
  ...(cursor === '' ? {} : { cursor }),
});

/** The query of /delegates.json for a page of the overview. */
export const delegatesQuery = ({ search, order, offset }: DelegateList): Record<string, string> => ({
  ...(search === '' ? {} : { q: search }),
  orderBy: writeOrder(order),
  offset: String(offset),
  limit: String(DELEGATES_PER_PAGE),
});

/**
 * @param voters up to `VOTERS_TO_READ` of them, from `offset` on
 * @param rounds up to `ROUNDS_PER_CHART` of them, newest first
 */
export const delegateView = (
  delegate: StatusDelegate,
  voters: readonly Voter[],
  offset: number,
  rounds: readonly DelegateRound[],
): DelegateView => ({
  kind: 'delegate',
  delegate,
  voters: voters.slice(0, VOTERS_PER_PAGE),
  offset,
  hasMoreVoters: voters.length > VOTERS_PER_PAGE,
  rounds,
});

/** The view without the rounds that ended above a height, which a fork undid. */
export const withoutRoundsAbove = (view: View, commonHeight: number): View =>
  view.kind === 'delegate'
    ? { ...view, rounds: view.rounds.filter(({ height }) => height <= commonHeight) }
    : view;
