import type { Delegate, DelegateValue, Ranking } from './state.js';

/** The height at which a vote that still lasts ends: PostgreSQL's largest integer. */
export const LASTING = 2_147_483_647;

/**
 * The history has the weights of all delegates at each multiple of this height, and otherwise only those that changed.
 * So a look-up reads at most so many rows; the full ones are a small part of the table.
 */
export const ALL_WEIGHTS_EVERY = 500;

/** The amounts of an account after the block at `height`, in arktoshi. */
export interface AmountsAt {
  /** The number of the account. */
  readonly account: number;
  readonly height: number;
  readonly balance: bigint;
  readonly locked: bigint;
}

/** An account votes for a delegate after the blocks from `fromHeight` to `untilHeight` - 1. */
export interface VotePeriod {
  /** The number of the account. */
  readonly account: number;
  readonly address: string;
  readonly fromHeight: number;
  readonly untilHeight: number;
  /** The public key of the delegate. */
  readonly vote: string;
}

/** The values of a delegate, except for its weight, after the block at `height`. */
export interface DelegateAt extends Pick<Delegate, Exclude<DelegateValue, 'lastRank' | 'weight'>> {
  /** The number of the delegate. */
  readonly delegate: number;
  readonly height: number;
}

/** Weights after the block at `height`, in arktoshi. */
export interface WeightsAt {
  readonly height: number;
  /** The numbers of the delegates, ascending. */
  readonly delegates: readonly number[];
  /** In the order of `delegates`. */
  readonly weights: readonly bigint[];
}

/** A vote whose period was recorded earlier, without its end. */
export type EndedVote = Pick<VotePeriod, 'account' | 'untilHeight'>;

/** What blocks add to the history, except for votes. */
export interface HistoryRecords {
  readonly balances: readonly AmountsAt[];
  readonly delegates: readonly DelegateAt[];
  readonly weights: readonly WeightsAt[];
  readonly rankings: readonly Ranking[];
}

/** What blocks change in the periods of votes. */
export interface VoteRecords {
  readonly ended: readonly EndedVote[];
  /** After `ended`, an account has at most one lasting vote. */
  readonly begun: readonly VotePeriod[];
}
