import type { Block, ChainStatusResponse, StatusDelegate, Voter } from '@roundhouse/client';
import { writeOrder, type DelegateList } from './location.js';

export const VOTERS_PER_PAGE = 50;

/** Ask for one voter more than a page shows, to know whether there are more. */
export const VOTERS_TO_READ = VOTERS_PER_PAGE + 1;

export const DELEGATES_PER_PAGE = 100;

export interface OverviewView {
  readonly kind: 'overview';
  readonly list: DelegateList;
  /** The page of `list`. */
  readonly delegates: readonly StatusDelegate[];
  /** How many delegates `list` has on all pages. */
  readonly count: number;
}

export interface DelegateView {
  readonly kind: 'delegate';
  readonly delegate: StatusDelegate;
  readonly voters: readonly Voter[];
  readonly offset: number;
  readonly hasMoreVoters: boolean;
}

export interface BlockView {
  readonly kind: 'block';
  readonly block: Block;
  /** Null if no delegate forged it (the genesis block). */
  readonly forger: string | null;
  readonly isUndone: boolean;
}

/** What the main part of the page shows. */
export type View = OverviewView | DelegateView | BlockView;

export interface PageState {
  readonly status: ChainStatusResponse;
  readonly view: View;
  /** Milliseconds since 1970, or null without a running clock: the page then shows times of day. */
  readonly now: number | null;
}

/** The query of /delegates.json for a page of the overview. */
export const delegatesQuery = ({ search, order, offset }: DelegateList): Record<string, string> => ({
  ...(search === '' ? {} : { q: search }),
  orderBy: writeOrder(order),
  offset: String(offset),
  limit: String(DELEGATES_PER_PAGE),
});

/** @param voters up to `VOTERS_TO_READ` of them, from `offset` on */
export const delegateView = (
  delegate: StatusDelegate,
  voters: readonly Voter[],
  offset: number,
): DelegateView => ({
  kind: 'delegate',
  delegate,
  voters: voters.slice(0, VOTERS_PER_PAGE),
  offset,
  hasMoreVoters: voters.length > VOTERS_PER_PAGE,
});
