import { deckFor } from '../disturbances/deck.js';
import type { Disturbance, Draw } from '../disturbances/disturbance.js';
import { Random } from './random.js';

export interface Step {
  /** The devnet's height when it begins. */
  readonly height: number;
  readonly disturbances: readonly Disturbance[];
  /** Blocks that are forged while they last. */
  readonly meanwhile: number;
  /** Whether the index has to catch up before the next step. */
  readonly settles: boolean;
}

export interface Plan {
  readonly seed: number;
  readonly blocks: number;
  readonly queues: 'redis' | 'postgres';
  readonly verify: 'hash' | 'full';
  /** Addresses of the node that the indexers have, of which one may misbehave. */
  readonly sources: 'one' | 'two, the first misbehaves' | 'two, the second misbehaves';
  /** Blocks that are committed at once, at most. */
  readonly batchBlocks: number;
  /** The words of the disturbances that it is cut down to; null where it is whole. */
  readonly only: string | null;
  readonly steps: readonly Step[];
}

/** The chain's length when the programs start. */
export const FIRST_HEIGHT = 20;

/** As many blocks lie between two steps: mostly a few, at times enough for several pages and batches. */
const drawBurst = (random: Random): number => {
  const kind = random.next();
  if (kind < 0.5) return random.between(1, 6);
  if (kind < 0.92) return random.between(7, 30);
  return random.between(50, 130);
};

/** Goes through the whole deck, shuffled, before any of it comes again. */
function* deal(deck: readonly Draw[], random: Random): Generator<Draw, never> {
  for (;;) yield* random.shuffle(deck);
}

const drawStep = (height: number, draws: Generator<Draw, never>, random: Random): Step => {
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

/** Drawn apart, so that the rest of a plan does not depend on it. */
const SOURCES_SEED = 2;

const drawSources = (random: Random): Plan['sources'] => {
  if (!random.chance(0.4)) return 'one';
  return random.chance(0.5) ? 'two, the first misbehaves' : 'two, the second misbehaves';
};

/** All that a seed decides. What the clock decides (who gets to do what first) is different in every run. */
export const makePlan = (seed: number, blocks: number, canHaveRedis: boolean): Plan => {
  const random = new Random(seed);
  // Drawn in any case, so that the rest of the plan does not depend on what is installed.
  const wantsRedis = random.chance(0.5);
  const hasRedis = wantsRedis && canHaveRedis;
  const verify = random.chance(0.5) ? 'full' : 'hash';
  const sources = drawSources(new Random(seed ^ SOURCES_SEED));
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
    sources,
    batchBlocks,
    only: null,
    steps,
  };
};

/** The plan without the disturbances whose line does not hold these words. */
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

export const planLine = ({ seed, blocks, queues, verify, sources, batchBlocks, steps }: Plan): string =>
  `seed ${seed}: ${blocks} blocks, ${steps.length} steps, queues in ${queues}, VERIFY=${verify}, sources: ${sources}, batches of ${batchBlocks}`;
