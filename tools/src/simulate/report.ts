import { loadavg } from 'node:os';
import { stepLine } from './plan/plan.js';
import type { SeedResult } from './run-seed.js';

const MOST_PROBLEMS = 20;

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The last line of a run. */
export const resultLine = (result: SeedResult): string => {
  const { plan, problems, disturbances, answers, statuses, cutOff, events, branchBlocks, seconds, digest } =
    result;
  const refused = statuses.get(503) ?? 0;
  const done =
    `${plan.blocks} blocks (${branchBlocks} with all branches), ${plural(disturbances, 'disturbance')}, ` +
    `${answers} answers checked (${refused} of them 503, ${cutOff} more cut off), ${events} events followed, ${Math.round(seconds)} s`;
  return problems.length === 0
    ? `seed ${plan.seed}: passed: ${done}; the digest ${digest?.slice(0, 12)} is that of an undisturbed run, verify is clean`
    : `seed ${plan.seed}: FAILED: ${plural(problems.length, 'problem')} after ${done}`;
};

/** What is needed to examine a failure and to repeat it. */
export const failureLines = ({ plan, problems, stepsMade, folder }: SeedResult): string[] => [
  '',
  'Problems:',
  ...problems.slice(0, MOST_PROBLEMS).map((problem) => `  ${problem}`),
  ...(problems.length > MOST_PROBLEMS ? [`  and ${problems.length - MOST_PROBLEMS} more`] : []),
  ...(stepsMade < plan.steps.length ? ['Remaining steps:'] : []),
  ...plan.steps.slice(stepsMade).map(stepLine),
  `Logs and data: ${folder}`,
  `Repeat: npm run simulate -- --seed ${plan.seed} --blocks ${plan.blocks}${plan.only === null ? '' : ` --only '${plan.only}'`}`,
];

/** One line of JSON for statistics over many runs. */
export const recordOf = ({ plan, statuses, ...rest }: SeedResult): string =>
  JSON.stringify({
    seed: plan.seed,
    blocks: plan.blocks,
    queues: plan.queues,
    verify: plan.verify,
    sources: plan.sources,
    ...rest,
    seconds: Math.round(rest.seconds),
    statuses: Object.fromEntries(statuses),
    load: Number(loadavg()[1]!.toFixed(1)),
  });
