import { roundDigest } from '../digest/round-digest.js';
import { RunningSums } from '../digest/running-sums.js';
import type { StateSums } from '../digest/value-sums.js';
import { InvalidBlockError } from '../errors/chain-error.js';
import { ForgingState } from './forging-state.js';
import type { Delegate, ForgerList, ForgingRound, NumberedRound, Registration } from './state.js';
import { TrackedDelegate } from './tracked.js';

/** What changes who may forge: registrations, resignations, claims that nodes miscount, and the ends of rounds. */
export class Forgers extends ForgingState {
  private readonly usernames = new Set<string>();

  /** Continues from the sums at the head. */
  loadSums(sums: StateSums): void {
    this.sums = new RunningSums(sums);
    this.journal.sumsAt = this.head?.height ?? 0;
  }

  loadDelegate(delegate: Delegate): void {
    this.addDelegate(new TrackedDelegate(delegate, true));
  }

  /**
   * Adds a delegate and gives it the next number. Earlier votes for its key count from now on. Throws
   * `InvalidBlockError`.
   */
  register(registration: Omit<Registration, 'number'>): void {
    const { publicKey, username } = registration;
    if (this.delegates.has(publicKey)) {
      throw new InvalidBlockError(this.journal.height, `delegate ${publicKey} registers again`);
    }
    if (this.usernames.has(username)) {
      throw new InvalidBlockError(this.journal.height, `the username "${username}" is already taken`);
    }
    const weight = this.orphanWeights.get(publicKey) ?? 0n;
    this.orphanWeights.delete(publicKey);
    // Delegates are never removed, except when their registration is undone.
    const number = this.delegates.size + 1;
    const added = new TrackedDelegate({ ...registration, number, weight }, false);
    this.addDelegate(added);
    this.touchDelegate(added);
    this.sums.addDelegate(added);
  }

  /** How many delegates have not resigned. */
  countEligible(): number {
    return this.ranking.reduce((count, { isResigned }) => (isResigned ? count : count + 1), 0);
  }

  isUsernameTaken(username: string): boolean {
    return this.usernames.has(username);
  }

  resign(delegate: TrackedDelegate): void {
    if (delegate.isResigned) return;
    delegate.isResigned = true;
    delegate.lastRank = this.rankOf(delegate);
    this.sums.addValue(delegate, 'isResigned', 1n);
    if (delegate.lastRank > 0) this.sums.addValue(delegate, 'lastRank', BigInt(delegate.lastRank));
  }

  /** The place at the last round end, from 1; 0 if the delegate was not registered then, or had resigned. */
  rankOf({ number }: Delegate): number {
    return this.ranks.indexOf(number) + 1;
  }

  countMissed(delegate: TrackedDelegate): void {
    delegate.missedBlocks += 1;
    this.sums.addValue(delegate, 'missedBlocks', 1n);
  }

  /**
   * A claim gave `amount` to an account that votes for `recipientVote`, and was sent by one that votes for
   * `claimerVote`: a running node adds it to the weight of the latter's delegate.
   */
  countClaim(amount: bigint, recipientVote: string | null, claimerVote: string | null): void {
    if (recipientVote === claimerVote || !this.knowsClaims) return;
    const { journal, claims, sums } = this;
    const numberOf = (vote: string | null): number | null =>
      vote === null ? null : (this.delegates.get(vote)?.number ?? null);
    const drift = {
      number: claims.count + 1,
      height: journal.height,
      amount,
      loser: numberOf(recipientVote),
      winner: numberOf(claimerVote),
    };
    claims.add(drift);
    sums.addClaim(drift);
    journal.changes.claimDrifts.push(drift);
  }

  /** The weight by which a running node chooses forgers. */
  forgingWeight({ number, weight }: Delegate): bigint {
    return weight + this.claims.driftOf(number);
  }

  /**
   * Makes `round` the round of the next block. `candidates`: the other lists of forgers that it may have. Call this when
   * the ranking is sorted.
   */
  startRound(round: ForgingRound, candidates: readonly ForgerList[]): void {
    this.round = round;
    this.candidates = candidates;
    this.forged = [];
    this.misplaced.clear();
    const ranks: number[] = [];
    for (const { isResigned, number } of this.ranking) if (!isResigned) ranks.push(number);
    this.ranks = ranks;
    const { changes, undo, history, height } = this.journal;
    const ranking = { height, delegates: ranks };
    // No block below can become the head again.
    if (undo === null) {
      changes.rankings = [];
      changes.roundCandidates = [];
    }
    changes.rounds.push(this.numbered(round));
    changes.rankings.push(ranking);
    for (const [index, list] of candidates.entries())
      changes.roundCandidates.push({ ...this.numbered({ ...round, ...list }), place: index + 1 });
    history?.addRanking(ranking);
  }

  /** The block at `height`, which is applied next, shows that `list` forges the round. */
  reviseRound(list: ForgerList, height: number): void {
    const { firstHeight: _firstHeight, ...revised } = this.numbered(
      (this.round = { ...this.round!, ...list }),
    );
    this.claims.forget(list.forgottenClaims);
    this.journal.changes.roundRevisions.push({ ...revised, height });
  }

  /** Accepts the block at `height`, which is applied next, although its forger has its slot in no list. */
  misplace(height: number): void {
    this.misplaced.add(height);
    this.journal.changes.misplacedBlocks.push({ height, round: this.round!.round });
  }

  /** Call this after the last block of a round, when it is the head and the next round is fixed. */
  digestRound(): void {
    if (this.head === null || this.round === null) return;
    this.journal.changes.roundDigests.push(roundDigest(this.head, this.sums.toHex(), this.round));
  }

  /**
   * Returns the string object that is the delegate's map key: V8 compares it by reference, not character by
   * character.
   */
  protected knownKey(publicKey: string): string {
    return this.delegates.get(publicKey)?.publicKey ?? publicKey;
  }

  private numbered(round: ForgingRound): NumberedRound {
    const forgingOrder = round.forgingOrder.map((publicKey) => this.delegates.get(publicKey)!.number);
    return { ...round, forgingOrder };
  }

  private addDelegate(delegate: TrackedDelegate): void {
    this.delegates.set(delegate.publicKey, delegate);
    this.usernames.add(delegate.username);
    this.ranking.push(delegate);
  }
}
