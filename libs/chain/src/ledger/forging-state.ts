import { roundDigest, RunningSums, type StateSums } from '../digest/round-digest.js';
import { InvalidBlockError, LedgerInvariantError } from '../errors/chain-error.js';
import { MilestoneSchedule } from '../network/milestones.js';
import type { Network } from '../network/network.js';
import { heightsForSlots, slotOf } from '../rounds/rounds.js';
import { ClaimDrifts } from './claim-drifts.js';
import { Journal } from './journal.js';
import type {
  Delegate,
  ForgerList,
  ForgingRound,
  LedgerHead,
  NumberedRound,
  Registration,
  RoundBlock,
} from './state.js';
import { TrackedDelegate } from './tracked.js';

/**
 * The part of the ledger that says who forges: the delegates with their weights, and the round. It knows no accounts:
 * `Ledger` adds them, and moves weights as they move.
 */
export class ForgingState {
  readonly milestones: MilestoneSchedule;
  readonly delegates = new Map<string, TrackedDelegate>();
  /** All delegates, as sorted at the end of the last round. */
  readonly ranking: TrackedDelegate[] = [];
  /** The numbers of those that had not resigned then, by rank. */
  ranks: readonly number[] = [];
  /** Weights of votes for keys that are not registered (yet). A registration takes its votes from here. */
  readonly orphanWeights = new Map<string, bigint>();
  head: LedgerHead | null = null;
  /** The round of the next block; null before the genesis block. */
  round: ForgingRound | null = null;
  /** The other lists of forgers that `round` may have, as they are tried. */
  candidates: readonly ForgerList[] = [];
  /** The blocks of `round` so far. */
  forged: RoundBlock[] = [];
  /** The heights of those whose forger has its slot in no list. */
  readonly misplaced = new Set<number>();
  /** What running nodes miscount. */
  claims = new ClaimDrifts();
  /** False in an index that an earlier version began: it has not counted the claims of its blocks. */
  knowsClaims = true;
  /** False in an index that an earlier version began: it lacks attributes and the weights of forgers of its first blocks. */
  keepsDetails = true;
  /**
   * Timestamps of the blocks around each change of the block time; slots are counted from them. Empty if it never
   * changed.
   */
  readonly timestamps = new Map<number, number>();

  protected readonly journal = new Journal();
  protected sums = new RunningSums();
  private readonly slotHeights: ReadonlySet<number>;
  private readonly usernames = new Set<string>();

  constructor(readonly network: Network) {
    this.milestones = new MilestoneSchedule(network.milestones);
    this.slotHeights = new Set(heightsForSlots(this.milestones, Number.MAX_SAFE_INTEGER));
  }

  loadDelegate(delegate: Delegate): void {
    this.addDelegate(new TrackedDelegate(delegate, true));
  }

  /** Continues from the sums at the head. */
  loadSums(sums: StateSums): void {
    this.sums = new RunningSums(sums);
    this.journal.knowSumsAt(this.head?.height ?? 0);
  }

  /** Returns the delegate with this public key, recorded as touched by this block; null if nobody registered it. */
  findDelegate(publicKey: string): TrackedDelegate | null {
    const delegate = this.delegates.get(publicKey);
    if (delegate === undefined) return null;
    this.touchDelegate(delegate);
    return delegate;
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

  countForged(delegate: TrackedDelegate, fees: bigint, reward: bigint): void {
    delegate.producedBlocks += 1;
    delegate.forgedFees += fees;
    delegate.forgedRewards += reward;
    const { sums } = this;
    sums.addValue(delegate, 'producedBlocks', 1n);
    if (fees !== 0n) sums.addValue(delegate, 'forgedFees', fees);
    if (reward !== 0n) sums.addValue(delegate, 'forgedRewards', reward);
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
    journal.miscountClaim(drift);
  }

  /** The weight by which a running node chooses forgers. */
  forgingWeight({ number, weight }: Delegate): bigint {
    return weight + this.claims.driftOf(number);
  }

  /** The slot of a block that is the next one, or below it and in its round. */
  slotOf({ height, timestamp }: Pick<RoundBlock, 'height' | 'timestamp'>): number {
    return slotOf(this.milestones, timestamp, height, (at) => {
      const known = this.timestamps.get(at);
      if (known === undefined) throw new LedgerInvariantError(`The timestamp of block ${at} was not loaded.`);
      return known;
    });
  }

  /** Moves the head. Keeps its timestamp if slots are counted from it. */
  moveHead(head: LedgerHead): void {
    this.head = head;
    if (this.slotHeights.has(head.height)) this.timestamps.set(head.height, head.timestamp);
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
    this.journal.startRound(
      this.numbered(round),
      candidates.map((list, index) => ({ ...this.numbered({ ...round, ...list }), place: index + 1 })),
      this.ranks,
    );
  }

  /** The block at `height`, which is applied next, shows that `list` forges the round. */
  reviseRound(list: ForgerList, height: number): void {
    const { firstHeight: _firstHeight, ...revised } = this.numbered(
      (this.round = { ...this.round!, ...list }),
    );
    this.claims.forget(list.forgottenClaims);
    this.journal.reviseRound({ ...revised, height });
  }

  /** Accepts the block at `height`, which is applied next, although its forger has its slot in no list. */
  misplace(height: number): void {
    this.misplaced.add(height);
    this.journal.misplaceBlock({ height, round: this.round!.round });
  }

  /** Call this after the last block of a round, when it is the head and the next round is fixed. */
  digestRound(): void {
    if (this.head === null || this.round === null) return;
    this.journal.digestRound(roundDigest(this.head, this.sums.toHex(), this.round));
  }

  /**
   * Returns the string object that is the delegate's map key: V8 compares it by reference, not character by
   * character.
   */
  protected knownKey(publicKey: string): string {
    return this.delegates.get(publicKey)?.publicKey ?? publicKey;
  }

  /** Adds to the weight of the delegate with this key, or of votes for it until it is registered. */
  protected weigh(publicKey: string, weight: bigint): void {
    const delegate = this.delegates.get(publicKey);
    if (delegate === undefined) {
      this.orphanWeights.set(publicKey, (this.orphanWeights.get(publicKey) ?? 0n) + weight);
      return;
    }
    this.touchDelegate(delegate);
    delegate.weight += weight;
    this.sums.addValue(delegate, 'weight', weight);
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

  private touchDelegate(delegate: TrackedDelegate): void {
    if (delegate.touchedAt !== this.journal.height) this.journal.touchDelegate(delegate);
  }
}
