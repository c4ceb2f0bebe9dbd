import { parseArgs } from 'node:util';
import { wholeNumberOf } from '@roundhouse/config';

export interface SimulateOptions {
  /** The seeds to run, in this order. Null: the fixed seeds of CI. */
  readonly seeds: readonly number[] | null;
  readonly blocks: number;
  /** Run only the disturbances whose line contains these words; null for all. */
  readonly only: string | null;
  /** The file to which one line of JSON per run is appended; null for none. */
  readonly resultsFile: string | null;
  readonly keepsFolder: boolean;
  /** Only print the plan. */
  readonly isDryRun: boolean;
}

export const USAGE = `npm run simulate -- --seed 7 --blocks 300     one run
npm run simulate -- --seeds 1..50 --blocks 2000   one run per seed
npm run simulate -- --ci                          the fixed seeds that CI runs

  --only WORDS      only the disturbances whose line contains these words
  --plan            only print the plan
  --keep            keep the folder even if nothing was found
  --results FILE    append one line of JSON per run

Exit code: 0 if nothing was found, otherwise 1.`;

export class SimulateUsageError extends Error {}

const MOST_SEED = 4_294_967_295;

const whole = (name: string, text: string, least: number, most: number): number => {
  const number = wholeNumberOf(text, least, most);
  if (number !== null) return number;
  throw new SimulateUsageError(
    `--${name} is "${text}", but it must be a whole number from ${least} to ${most}.\n\n${USAGE}`,
  );
};

const rangeOf = (text: string): number[] => {
  const [first = '', last = first] = text.split('..');
  const from = whole('seeds', first, 0, MOST_SEED);
  const to = whole('seeds', last, from, MOST_SEED);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string' },
        seeds: { type: 'string' },
        blocks: { type: 'string', default: '300' },
        ci: { type: 'boolean', default: false },
        only: { type: 'string' },
        plan: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        results: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new SimulateUsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
};

/** Parses the command line. Throws `SimulateUsageError` with the usage. */
export const readOptions = (args: readonly string[]): SimulateOptions => {
  const { seed, seeds, blocks, ci, only, plan, keep, results } = parse(args);
  if ([seed !== undefined, seeds !== undefined, ci].filter(Boolean).length !== 1) {
    throw new SimulateUsageError(`One of --seed, --seeds and --ci is required.\n\n${USAGE}`);
  }
  return {
    seeds: ci ? null : rangeOf(seed ?? seeds ?? ''),
    blocks: whole('blocks', blocks, 50, 1_000_000),
    only: only ?? null,
    resultsFile: results ?? null,
    keepsFolder: keep,
    isDryRun: plan,
  };
};
