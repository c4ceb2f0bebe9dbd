import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { planLine, stepLine, type Plan, type Step } from './plan/plan.js';
import { Random } from './plan/random.js';
import { Reader } from './reader/reader.js';
import { judge } from './verdict.js';
import type { SelfEnded } from './world/program.js';
import { World } from './world/world.js';

export interface SeedResult {
  readonly plan: Plan;
  readonly problems: readonly string[];
  /** Of the plan's steps, those that were begun. */
  readonly stepsMade: number;
  readonly disturbances: number;
  readonly answers: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Requests that met a killed or paused api. */
  readonly cutOff: number;
  readonly branchBlocks: number;
  /** What a client of /events was sent. */
  readonly events: number;
  readonly seconds: number;
  readonly digest: string | null;
  /** Where the logs are; null where they were removed with everything else. */
  readonly folder: string | null;
}

export interface RunOptions {
  readonly plan: Plan;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly keepsFolder: boolean;
}

/** Another seed than the plan's: what the reader asks has no part in it. */
const READER_SEED = 0x5eed;

/** How long after a step begins its blocks are forged. */
const MEANWHILE_MS = 150;

const makeStep = async (world: World, { height, disturbances, meanwhile, settles }: Step): Promise<void> => {
  await world.devnet.forgeTo(height);
  // The node's orders are given in this sequence in every run: the plan alone decides the chain.
  const under = disturbances.map(({ run }) => run(world));
  const forging = wait(MEANWHILE_MS).then(() => (meanwhile > 0 ? world.devnet.forge(meanwhile) : undefined));
  // Each of them to its end, whatever becomes of the others: what it has stopped, it starts again.
  for (const done of await Promise.allSettled([...under, forging])) {
    if (done.status === 'rejected') throw done.reason;
  }
  if (settles) await world.catchUp();
};

/** One program that ended by itself; the chain of another network is the one reason that a running one may have. */
const selfEndedProblem = ({ name, wasReady, how, lastLine }: SelfEnded): string | null => {
  if (!wasReady || lastLine.includes('FOREIGN_CHAIN')) return null;
  return `${name} ended by itself (${how}): ${lastLine}`;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Carries a plan out against real processes, and compares what comes of it with an undisturbed run. */
export const runSeed = async ({ plan, signal, say, keepsFolder }: RunOptions): Promise<SeedResult> => {
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), `roundhouse-simulate-${plan.seed}-`));
  const problems: string[] = [];
  const found = (problem: string): void => {
    problems.push(problem);
    say(`        FOUND: ${problem}`);
  };
  let world: World | null = null;
  let reader: Reader | null = null;
  let stepsMade = 0;
  let digest: string | null = null;
  const onSelfEnded = (ended: SelfEnded): void => {
    const problem = selfEndedProblem(ended);
    if (problem !== null) found(problem);
    else say(`        ${ended.name} ended (${ended.how}) and is started again: ${ended.lastLine}`);
  };
  const work = async (): Promise<void> => {
    world = await World.start(
      { plan, folder, onSelfEnded, onProblem: found },
      (started) => (world = started),
    );
    reader = new Reader(world, new Random(plan.seed ^ READER_SEED));
    await reader.start();
    for (const step of plan.steps) {
      signal.throwIfAborted();
      say(stepLine(step));
      stepsMade += 1;
      await makeStep(world, step);
      reader.settleClaims(world.devnet.tree);
      for (const problem of [...reader.problems.splice(0), ...world.tooLarge()]) found(problem);
    }
    await world.devnet.forgeTo(plan.blocks);
    await world.catchUp();
    const lagging = await reader.followerCatchesUp(world.devnet.head);
    if (lagging !== null) found(lagging);
    await reader.stop();
    reader.settleClaims(world.devnet.tree);
    for (const problem of [...reader.problems.splice(0), ...(await world.stopApps())]) found(problem);
    signal.throwIfAborted();
    const verdict = await judge(world);
    digest = verdict.digest;
    verdict.problems.forEach(found);
  };
  const over = new AbortController();
  try {
    say(planLine(plan));
    await Promise.race([work(), aborted(signal, over.signal)]);
  } catch (error) {
    if (!signal.aborted) found(messageOf(error));
  } finally {
    over.abort();
    await (reader as Reader | null)?.stop();
    await (world as World | null)?.stop();
  }
  const isKept = keepsFolder || (problems.length > 0 && !signal.aborted);
  if (!isKept) rmSync(folder, { recursive: true, force: true });
  const read = reader as Reader | null;
  return {
    plan,
    problems,
    stepsMade,
    disturbances: plan.steps.slice(0, stepsMade).flatMap((step) => step.disturbances).length,
    answers: read?.answers ?? 0,
    statuses: read?.statuses ?? new Map<number, number>(),
    cutOff: read?.cutOff ?? 0,
    events: read?.follower.events ?? 0,
    branchBlocks: (world as World | null)?.devnet.tree.size ?? 0,
    seconds: (performance.now() - startedAt) / 1_000,
    digest,
    folder: isKept ? folder : null,
  };
};

/** Rejects when `signal` comes; does not listen to it any longer than until `over`. */
const aborted = (signal: AbortSignal, over: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true, signal: over });
  });
