import { describe, expect, it } from '@jest/globals';
import { CI_SEEDS } from '../ci-seeds.js';
import { makePlan, onlyWith, planLine, stepLine, type Plan } from './plan.js';
import { FIRST_HEIGHT } from './stack-plan.js';

const linesOf = (plan: Plan): string[] => [planLine(plan), ...plan.steps.map(stepLine)];
const seeds = Array.from({ length: 200 }, (_, index) => index + 1);
const made = ({ steps }: Plan): string[] =>
  steps.flatMap(({ disturbances }) => disturbances.map(({ line }) => line));

describe('the plan of a simulation', () => {
  it('is always the same for a seed, and differs for another one', () => {
    expect(linesOf(makePlan(7, 1_000, true))).toEqual(linesOf(makePlan(7, 1_000, true)));
    const plans = seeds.map((seed) => makePlan(seed, 300, true).steps.map(stepLine).join('\n'));
    expect(new Set(plans).size).toBe(seeds.length);
  });

  it('continues a shorter one of the same seed', () => {
    const short = makePlan(7, 500, true).steps.map(stepLine);
    expect(makePlan(7, 2_000, true).steps.map(stepLine).slice(0, short.length)).toEqual(short);
  });

  describe('every disturbance', () => {
    const wanted = [
      'fork, the new branch, then, then fork, kill -9 indexer, kill -9 both, kill -9 api, pause indexer, its sessions ended',
      'pause api, -m fast, -m immediate, end all sessions, restart Redis, flushall, node restarts, caught up',
      'node down, node hanging, node slow, status 429, status 50, node truncated, node cut-off, node invalid-json, node gap',
      'node wrong-order, node wrong-id, node wrong-payload-hash, node wrong-signature, node other-network, node behind',
      'node backwards, node forks-in-turn, node rate-limit, node endless-pages, node endless-body, node lying-ids',
      'serves true, serves false, breach stranger, breach forger, breach reward, breach version',
      'changes recipient, changes amount, changes type, changes username, changes lock, changes payments',
      'changes nul-recipient, changes nul-username, clock of indexer, clock of both indexers, clock of api',
      'clock of the database, clock of all, log on a full disk: indexer, log on a full disk: api, log unread: indexer',
      'log unread: api',
    ].flatMap((words) => words.split(', '));
    const missingIn = (lines: readonly string[]): string[] =>
      wanted.filter((words) => !lines.some((line) => line.includes(words)));

    it('occurs in a long run with Redis and VERIFY=full', () => {
      const seed = seeds.find((each) => {
        const { queues, verify } = makePlan(each, 50, true);
        return queues === 'redis' && verify === 'full';
      })!;
      expect(missingIn(made(makePlan(seed, 4_000, true)))).toEqual([]);
    });

    it('occurs in at least one of the seeds of CI', () => {
      const lines = CI_SEEDS.flatMap(({ seed, blocks }) => made(makePlan(seed, blocks, true)));
      expect(missingIn(lines)).toEqual([]);
    });

    it('are run with history and without', () => {
      const plans = CI_SEEDS.map(({ seed, blocks }) => makePlan(seed, blocks, true));
      expect(new Set(plans.map(({ history }) => history))).toEqual(new Set(['full', 'off']));
    });
  });

  it('can be reduced to the disturbances with some words, at unchanged heights', () => {
    const plan = makePlan(7, 2_000, true);
    const { steps, only } = onlyWith(plan, 'clock of');
    const lines = made({ ...plan, steps });
    expect(only).toBe('clock of');
    expect(lines).toEqual(made(plan).filter((line) => line.includes('clock of')));
    expect(plan.steps.map(({ height }) => height)).toEqual(
      expect.arrayContaining(steps.map(({ height }) => height)),
    );
  });

  it('sometimes lets the second address of the indexers misbehave', () => {
    const sources = new Set(seeds.map((seed) => makePlan(seed, 50, true).sources));
    expect([...sources].sort()).toEqual(['one', 'two, the first misbehaves', 'two, the second misbehaves']);
  });

  it('omits Redis if it is not installed, and wrong signatures if none are verified', () => {
    for (const seed of seeds) {
      const plan = makePlan(seed, 1_000, false);
      expect(plan.queues).toBe('postgres');
      expect(made(plan).filter((line) => line.includes('Redis'))).toEqual([]);
      if (plan.verify === 'hash') expect(made(plan).filter((line) => line.includes('signature'))).toEqual([]);
    }
  });

  it('forks 1 to 120 blocks deep, and never below the first blocks', () => {
    const depths = seeds
      .flatMap((seed) => makePlan(seed, 1_000, true).steps)
      .flatMap(({ height, disturbances }) =>
        disturbances
          .flatMap(({ line }) => [...line.matchAll(/fork (\d+) deep/g)])
          .map(([, depth]) => ({ height, depth: Number(depth) })),
      );
    expect(Math.min(...depths.map(({ depth }) => depth))).toBe(1);
    expect(Math.max(...depths.map(({ depth }) => depth))).toBe(120);
    expect(depths.filter(({ height, depth }) => depth > height - 5)).toEqual([]);
  });

  it('has its steps in order of height, within the chain, and affects each thing only once at a time', () => {
    for (const seed of seeds) {
      const { steps } = makePlan(seed, 600, true);
      const heights = steps.map(({ height }) => height);
      expect(heights).toEqual([...heights].sort((a, b) => a - b));
      expect(heights.every((height) => height > FIRST_HEIGHT && height < 600)).toBe(true);
      for (const { disturbances } of steps)
        expect(new Set(disturbances.map(({ hold }) => hold)).size).toBe(disturbances.length);
    }
  });
});
