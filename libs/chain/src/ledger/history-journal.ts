import {
  ALL_WEIGHTS_EVERY,
  LASTING,
  type AmountsAt,
  type DelegateAt,
  type EndedVote,
  type HistoryRecords,
  type VotePeriod,
  type VoteRecords,
  type WeightsAt,
} from './history.js';
import type { Account, Delegate, Ranking } from './state.js';

/** An account that the block touches, and what it was before. */
interface Touched {
  readonly account: Account;
  readonly existed: boolean;
  readonly balance: bigint;
  readonly locked: bigint;
  readonly vote: string | null;
}

type Values = Omit<DelegateAt, 'delegate' | 'height'>;

/** A delegate that the block touches, and what it was before. */
interface TouchedDelegate extends Values {
  readonly delegate: Delegate;
  readonly existed: boolean;
  readonly weight: bigint;
}

/** A period of which the end may still become known. */
type OpenPeriod = Omit<VotePeriod, 'untilHeight'> & { untilHeight: number };

const isSame = (one: Values, other: Values): boolean =>
  one.producedBlocks === other.producedBlocks &&
  one.missedBlocks === other.missedBlocks &&
  one.isResigned === other.isResigned &&
  one.forgedFees === other.forgedFees &&
  one.forgedRewards === other.forgedRewards;

class RecordsSoFar implements HistoryRecords {
  readonly balances: AmountsAt[] = [];
  readonly delegates: DelegateAt[] = [];
  readonly weights: WeightsAt[] = [];
  readonly rankings: Ranking[] = [];
}

class VotesSoFar implements VoteRecords {
  readonly ended: EndedVote[] = [];
  readonly begun: OpenPeriod[] = [];
  /** The lasting ones of `begun`, by account. */
  readonly lasting = new Map<number, OpenPeriod>();
}

/** Collects the history of blocks: the values of each touched row after the block. */
export class HistoryJournal {
  private accounts: Touched[] = [];
  private delegates: TouchedDelegate[] = [];
  private records = new RecordsSoFar();
  private votes = new VotesSoFar();

  /** Call this once per block, before the account changes. */
  touchAccount(account: Account, existed: boolean): void {
    const { balance, locked, vote } = account;
    this.accounts.push({ account, existed, balance, locked, vote });
  }

  /** Call this once per block, before the delegate changes. */
  touchDelegate(delegate: Delegate, existed: boolean): void {
    this.delegates.push({
      delegate,
      existed,
      weight: delegate.weight,
      isResigned: delegate.isResigned,
      producedBlocks: delegate.producedBlocks,
      missedBlocks: delegate.missedBlocks,
      forgedFees: delegate.forgedFees,
      forgedRewards: delegate.forgedRewards,
    });
  }

  addRanking(ranking: Ranking): void {
    this.records.rankings.push(ranking);
  }

  /** Call this when the block has changed all that it changes. `all`: the registered delegates. */
  endBlock(height: number, all: Iterable<Delegate>): void {
    for (const touched of this.accounts) this.recordAccount(touched, height);
    for (const touched of this.delegates) this.recordDelegate(touched, height);
    this.recordWeights(height % ALL_WEIGHTS_EVERY === 0 ? [...all] : this.reweighed(), height);
    this.accounts = [];
    this.delegates = [];
  }

  /** Returns the records since the last call. */
  takeRecords(): HistoryRecords {
    const { records } = this;
    this.records = new RecordsSoFar();
    return records;
  }

  /** Returns the votes since the last call. */
  takeVotes(): VoteRecords {
    const { votes } = this;
    this.votes = new VotesSoFar();
    return votes;
  }

  private recordAccount({ account, existed, balance, locked, vote }: Touched, height: number): void {
    if (!existed || account.balance !== balance || account.locked !== locked) {
      const { number, balance: newBalance, locked: newLocked } = account;
      this.records.balances.push({ account: number, height, balance: newBalance, locked: newLocked });
    }
    if (account.vote === vote) return;
    if (vote !== null) this.endVote(account.number, height);
    if (account.vote !== null) this.beginVote(account, height, account.vote);
  }

  private endVote(account: number, height: number): void {
    const { lasting, ended } = this.votes;
    const period = lasting.get(account);
    if (period === undefined) {
      ended.push({ account, untilHeight: height });
      return;
    }
    period.untilHeight = height;
    lasting.delete(account);
  }

  private beginVote({ number: account, address }: Account, fromHeight: number, vote: string): void {
    const period = { account, address, fromHeight, untilHeight: LASTING, vote };
    this.votes.begun.push(period);
    this.votes.lasting.set(account, period);
  }

  private recordDelegate(touched: TouchedDelegate, height: number): void {
    const { delegate } = touched;
    if (touched.existed && isSame(touched, delegate)) return;
    this.records.delegates.push({
      delegate: delegate.number,
      height,
      isResigned: delegate.isResigned,
      producedBlocks: delegate.producedBlocks,
      missedBlocks: delegate.missedBlocks,
      forgedFees: delegate.forgedFees,
      forgedRewards: delegate.forgedRewards,
    });
  }

  /** The delegates whose weight the block changed, or that it registered. */
  private reweighed(): Delegate[] {
    return this.delegates
      .filter(({ delegate, existed, weight }) => !existed || delegate.weight !== weight)
      .map(({ delegate }) => delegate);
  }

  private recordWeights(delegates: Delegate[], height: number): void {
    if (delegates.length === 0) return;
    delegates.sort((one, other) => one.number - other.number);
    this.records.weights.push({
      height,
      delegates: delegates.map(({ number }) => number),
      weights: delegates.map(({ weight }) => weight),
    });
  }
}
