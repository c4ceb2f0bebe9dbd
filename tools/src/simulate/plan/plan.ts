import { deckFor } from '../disturbances/deck.js';
import type { Disturbance, Draw } from '../disturbances/disturbance.js';
import { SeededRandom } from '@roundhouse/testing';
import { FIRST_HEIGHT, type StackPlan } from './stack-plan.js';

export interface Step {
  /** The devnet's height when the step begins. */
  readonly height: number;
  readonly disturbances: readonly Disturbance[];
  /** The number of blocks that are forged during the disturbances. */
  readonly meanwhile: number;
  /** Whether the index must catch up before the next step. */
  readonly settles: boolean;
}

export interface Plan extends StackPlan {
  readonly blocks: number;
  /** The words to which the disturbances are reduced; null for all of them. */
  readonly only: string | null;
  readonly steps: readonly Step[];
}

/** The number of blocks between two steps: mostly a few, sometimes enough for several pages and batches. */
const drawBurst = (random: SeededRandom): number => {
  const kind = random.fraction();
  if (kind < 0.5) return random.between(1, 6);
  if (kind < 0.92) return random.between(7, 30);
  return random.between(50, 130);
};

/** Deals the whole shuffled deck before any card repeats. */
function* deal(deck: readonly Draw[], random: SeededRandom): Generator<Draw, never> {
  for (;;) yield* random.shuffle(deck);
}

const drawStep = (height: number, draws: Generator<Draw, never>, random: SeededRandom): Step => {
  const disturbances = [draws.next().value(random, { height })];
  if (random.chance(0.25)) {
    const second = draws.next().value(random, { height });
    if (second.hold !== disturbances[0]!.hold) disturbances.push(second);
  }
  return {
    height,
    disturbances,
    meanwhile: random.chance(0.5) ? random.between(1, 12) : 0,
    settles: random.chance(0.3),
  };
};

const drawSources = (random: SeededRandom): Plan['sources'] => {
  if (!random.chance(0.4)) return 'one';
  return random.chance(0.5) ? 'two, the first misbehaves' : 'two, the second misbehaves';
};

/** Everything that a seed decides. The timing between processes differs in every run. */
export const makePlan = (seed: number, blocks: number, canHaveRedis: boolean): Plan => {
  const random = SeededRandom.of(seed);
  // Always drawn, so that the rest of the plan does not depend on what is installed.
  const wantsRedis = random.chance(0.5);
  const hasRedis = wantsRedis && canHaveRedis;
  const verify = random.chance(0.5) ? 'full' : 'hash';
  // Drawn from separate streams, so that the rest of the plan does not depend on them.
  const sources = drawSources(SeededRandom.of(seed, 'sources'));
  const history = SeededRandom.of(seed, 'history').chance(0.4) ? 'full' : 'off';
  const batchBlocks = random.pick([1, 7, 50, 50_000]);
  const draws = deal(deckFor({ hasRedis, verify }), random);
  const steps: Step[] = [];
  let height = FIRST_HEIGHT;
  while ((height += drawBurst(random)) < blocks) {
    const step = drawStep(height, draws, random);
    steps.push(step);
    height += step.meanwhile;
  }
  return {
    seed,
    blocks,
    queues: hasRedis ? 'redis' : 'postgres',
    verify,
    history,
    sources,
    batchBlocks,
    only: null,
    steps,
  };
};

/** The plan with only those disturbances whose line contains these words. */
export const onlyWith = (plan: Plan, words: string): Plan => {
  const steps = plan.steps.map((step) => ({
    ...step,
    disturbances: step.disturbances.filter(({ line }) => line.includes(words)),
  }));
  return { ...plan, only: words, steps: steps.filter(({ disturbances }) => disturbances.length > 0) };
};

export const stepLine = ({ height, disturbances, meanwhile, settles }: Step): string => {
  const made = disturbances.map(({ line }) => line).join('  +  ');
  const forged = meanwhile > 0 ? `; ${meanwhile} blocks meanwhile` : '';
  return `${String(height).padStart(6)}  ${made}${forged}${settles ? '; then catch up' : ''}`;
};

export const planLine = ({ seed, blocks, steps, ...plan }: Plan): string =>
  `seed ${seed}: ${blocks} blocks, ${steps.length} steps, queues in ${plan.queues}, VERIFY=${plan.verify}, HISTORY=${plan.history}, sources: ${plan.sources}, batches of ${plan.batchBlocks}`;
