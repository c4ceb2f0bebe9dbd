import { RunningSums } from '../digest/running-sums.js';
import { LedgerInvariantError } from '../errors/chain-error.js';
import { MilestoneSchedule } from '../network/milestones.js';
import type { Network } from '../network/network.js';
import { forgerAt, slotOf } from '../rounds/rounds.js';
import { heightsForSlots } from '../rounds/slot-heights.js';
import { ClaimDrifts } from './claim-drifts.js';
import { Journal } from './journal.js';
import type { ForgerList, ForgingRound, LedgerHead, RoundBlock } from './state.js';
import type { TrackedDelegate } from './tracked.js';

/**
 * The part of the ledger that says who forges: the delegates with their weights, and the round. It knows no accounts:
 * `Ledger` adds them, and moves weights as they move. `Forgers` adds what happens less often.
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

  constructor(readonly network: Network) {
    this.milestones = new MilestoneSchedule(network.milestones);
    this.slotHeights = new Set(heightsForSlots(this.milestones, Number.MAX_SAFE_INTEGER));
  }

  /** Returns the delegate with this public key, recorded as touched by this block; null if nobody registered it. */
  findDelegate(publicKey: string): TrackedDelegate | null {
    const delegate = this.delegates.get(publicKey);
    if (delegate === undefined) return null;
    this.touchDelegate(delegate);
    return delegate;
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

  /** The slot of a block that is the next one, or below it and in its round. */
  slotOf({ height, timestamp }: Pick<RoundBlock, 'height' | 'timestamp'>): number {
    return slotOf(this.milestones, timestamp, height, (at) => {
      const known = this.timestamps.get(at);
      if (known === undefined) throw new LedgerInvariantError(`The timestamp of block ${at} was not loaded.`);
      return known;
    });
  }

  /** Whether the next block is by the delegate that has its slot; also if nobody has slots. `admitForger` judges any other. */
  hasForger(block: RoundBlock): boolean {
    const { round } = this;
    if (round === null || round.forgingOrder.length === 0) return true;
    return forgerAt(round, this.slotOf(block)) === block.generatorPublicKey;
  }

  /** Moves the head. Keeps its timestamp if slots are counted from it. */
  moveHead(head: LedgerHead): void {
    this.head = head;
    if (this.slotHeights.has(head.height)) this.timestamps.set(head.height, head.timestamp);
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

  protected touchDelegate(delegate: TrackedDelegate): void {
    if (delegate.touchedAt !== this.journal.height) this.journal.touchDelegate(delegate);
  }
}
