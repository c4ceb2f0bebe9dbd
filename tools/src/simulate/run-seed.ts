import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { planLine, stepLine, type Plan, type Step } from './plan/plan.js';
import { SeededRandom } from '@roundhouse/testing';
import { Reader, type ReaderCounts } from './reader/reader.js';
import { judge } from './verdict.js';
import type { SelfEnded } from './world/program.js';
import { watchForSilence } from './world/silence.js';
import { World } from './world/world.js';

export interface SeedResult extends Partial<ReaderCounts> {
  readonly plan: Plan;
  readonly problems: readonly string[];
  /** The number of steps that were started. */
  readonly stepsMade: number;
  readonly disturbances: number;
  /** The number of blocks of all branches. */
  readonly branchBlocks: number;
  readonly seconds: number;
  readonly digest: string | null;
  /** The folder of the logs; null if it was removed. */
  readonly folder: string | null;
}

export interface RunOptions {
  readonly plan: Plan;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly keepsFolder: boolean;
}

/** The delay from the start of a step until its blocks are forged. */
const MEANWHILE_MS = 150;

const makeStep = async (world: World, { height, disturbances, meanwhile, settles }: Step): Promise<void> => {
  await world.devnet.forgeTo(height);
  // The node gets its orders in this sequence in every run, so that only the plan decides the chain.
  const under = disturbances.map(({ run }) => run(world));
  const forging = wait(MEANWHILE_MS).then(() => (meanwhile > 0 ? world.devnet.forge(meanwhile) : undefined));
  // Waits for all of them, even if one fails: each restarts what it has stopped.
  for (const done of await Promise.allSettled([...under, forging])) {
    if (done.status === 'rejected') throw done.reason;
  }
  if (settles) await world.catchUp();
};

/** Reports a program that ended by itself, unless it was not ready yet or its node showed another network's chain. */
const selfEndedProblem = ({ name, wasReady, how, lastLine }: SelfEnded): string | null => {
  if (!wasReady || lastLine.includes('FOREIGN_CHAIN')) return null;
  return `${name} ended by itself (${how}): ${lastLine}`;
};

/** Executes a plan against real processes, and compares the result with an undisturbed run. */
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
    else say(`        ${ended.name} ended (${ended.how}) and is restarted: ${ended.lastLine}`);
  };
  const apps = new AbortController();
  const work = async (): Promise<void> => {
    world = await World.start(
      { plan, folder, onSelfEnded, onProblem: found },
      (started) => (world = started),
    );
    void watchForSilence(world, apps.signal);
    reader = new Reader(world, SeededRandom.of(plan.seed, 'reader'));
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
    (await world.receiver.problems(world.devnet)).forEach(found);
    apps.abort();
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
    if (!signal.aborted) found((error as Error).message);
  } finally {
    over.abort();
    apps.abort();
    await (reader as Reader | null)?.stop();
    await (world as World | null)?.stop();
  }
  const isKept = keepsFolder || (problems.length > 0 && !signal.aborted);
  if (!isKept) rmSync(folder, { recursive: true, force: true });
  return {
    plan,
    problems,
    stepsMade,
    disturbances: plan.steps.slice(0, stepsMade).flatMap((step) => step.disturbances).length,
    ...(reader as Reader | null)?.counts,
    branchBlocks: (world as World | null)?.devnet.tree.size ?? 0,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    digest,
    folder: isKept ? folder : null,
  };
};

/** Rejects when `signal` is aborted. Stops listening when `over` is. */
const aborted = async (signal: AbortSignal, over: AbortSignal): Promise<never> => {
  if (!signal.aborted) await once(signal, 'abort', { signal: over });
  throw signal.reason;
};
