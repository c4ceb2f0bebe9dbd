import { multiSignatureKeyOf } from '@roundhouse/chain';
import type { Draft } from '../forging/draft.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Signing } from '../keys/signing.js';
import { SeededRandom } from '../random/seeded-random.js';
import { DENSE_MIX, OPENING, USUAL_MIX, type Mix } from './acts.js';
import { registerDelegate } from './acts/delegate.js';
import { transfer } from './acts/transfer.js';
import type { Intent } from './intent.js';
import type { Act, Scene } from './scene.js';
import { signIntent } from './sign-intent.js';

export interface TrafficSettings {
  /** The average number per block, in addition to the acts of the first heights. */
  readonly transactionsPerBlock: number;
  /** This many delegates, not counting resigned ones, are registered in the first blocks and maintained later. */
  readonly delegates: number;
  /** The share of votes that one delegate gets, from 0 to 1. */
  readonly popularity: number;
  /** Whether rare acts occur often, and accounts move much. */
  readonly isDense: boolean;
}

const REGISTRATIONS_PER_BLOCK = 4;
/** The block at height `first` and each `interval`-th block after it are completely filled. */
const CROWDED = { first: 100, interval: 1_000 };

const drawAct = (random: SeededRandom, mix: Mix): Act => {
  let left = random.below(mix.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [act, weight] of mix) {
    left -= weight;
    if (left < 0) return act;
  }
  return transfer;
};

/** What an act reads is the state before the block; this depends on the block's transactions so far. */
const isPossible = (draft: Draft, { asset }: Intent): boolean =>
  !(asset?.votes ?? []).some((vote) => vote.startsWith('+') && draft.isResigned(vote.slice(1))) &&
  !(asset?.multiSignature && draft.isShared(multiSignatureKeyOf(asset.multiSignature) ?? ''));

const isCrowded = (height: number): boolean =>
  height >= CROWDED.first && (height - CROWDED.first) % CROWDED.interval === 0;

/** Fills blocks with transactions, determined by the seed, the height and the chain so far. */
export class Traffic {
  constructor(
    private readonly ring: KeyRing,
    private readonly signing: Signing,
    private readonly settings: TrafficSettings,
  ) {}

  /**
   * Adds transactions to the draft. A `branch` that is not empty gives other traffic at the same height, and at least
   * one transaction.
   */
  fill(draft: Draft, branch: string): void {
    const { state } = draft;
    const height = state.height + 1;
    const random = SeededRandom.of(this.ring.seed, 'traffic', height, branch);
    const { popularity, isDense } = this.settings;
    const mix = isDense ? DENSE_MIX : USUAL_MIX;
    const scene: Scene = { height, random, ring: this.ring, state, draft, popularity, isDense };
    for (const act of this.openingActs(scene)) this.perform(act, scene);
    if (branch !== '') this.perform(transfer, scene);
    for (let left = this.drawCount(random); left > 0; left -= 1) this.perform(drawAct(random, mix), scene);
    if (!isCrowded(height)) return;
    while (!draft.isFull && this.perform(transfer, scene));
  }

  private openingActs(scene: Scene): readonly Act[] {
    const missing = this.settings.delegates - scene.state.eligibleDelegates.length;
    const registrations = Array.from({ length: Math.min(Math.max(missing, 0), REGISTRATIONS_PER_BLOCK) });
    return [...registrations.map(() => registerDelegate), ...(OPENING.get(scene.height) ?? [])];
  }

  private drawCount(random: SeededRandom): number {
    const { transactionsPerBlock: mean } = this.settings;
    if (mean < 1) return random.chance(mean) ? 1 : 0;
    const drawn = random.fraction() * 2 * mean;
    return Math.floor(drawn) + (random.chance(drawn % 1) ? 1 : 0);
  }

  /** Returns whether a transaction was added. If nobody can do the act, a transfer replaces it. */
  private perform(act: Act, scene: Scene): boolean {
    const { draft } = scene;
    if (draft.isFull) return false;
    const intended = act(scene);
    const intent = intended && isPossible(draft, intended) ? intended : transfer(scene);
    const transaction = intent && signIntent(intent, draft, this.ring, this.signing);
    if (!transaction) return false;
    draft.add(transaction);
    return true;
  }
}
