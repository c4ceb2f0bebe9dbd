import { loadavg } from 'node:os';
import { stepLine } from './plan/plan.js';
import type { SeedResult } from './run-seed.js';

const MOST_PROBLEMS = 20;

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The last line of a run. */
export const resultLine = ({ plan, problems, digest, ...result }: SeedResult): string => {
  const { disturbances, answers = 0, statuses, cutOff = 0, events = 0 } = result;
  const done =
    `${plan.blocks} blocks (${result.branchBlocks} with all branches), ${plural(disturbances, 'disturbance')}, ` +
    `${answers} answers checked (${statuses?.[503] ?? 0} of them 503, ${cutOff} more cut off), ${events} events followed, ${result.seconds} s`;
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
export const recordOf = ({ plan: { steps: _steps, ...plan }, ...result }: SeedResult): string =>
  JSON.stringify({ ...plan, ...result, load: Number(loadavg()[1]!.toFixed(1)) });
