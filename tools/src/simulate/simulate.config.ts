import { parseArgs } from 'node:util';

export interface SimulateOptions {
  /** What is run, in this order. Null: the fixed seeds of CI. */
  readonly seeds: readonly number[] | null;
  readonly blocks: number;
  /** Of the disturbances, only those whose line holds these words; null for all of them. */
  readonly only: string | null;
  /** Where one line of JSON a run is added; null for nowhere. */
  readonly resultsFile: string | null;
  readonly keepsFolder: boolean;
  /** Only says what would be done. */
  readonly isDryRun: boolean;
}

export const USAGE = `npm run simulate -- --seed 7 --blocks 300     one run
npm run simulate -- --seeds 1..50 --blocks 2000   one run a seed
npm run simulate -- --ci                          the fixed seeds that CI runs

  --only WORDS      of all disturbances, those whose line holds these words
  --plan            only print what would be done
  --keep            keep the folder of a run that found nothing, too
  --results FILE    add one line of JSON a run

Exit code: 0 when nothing was found, 1 otherwise.`;

export class SimulateUsageError extends Error {}

const MOST_SEED = 4_294_967_295;

const whole = (name: string, text: string, least: number, most: number): number => {
  if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new SimulateUsageError(
    `--${name} is "${text}", but a whole number from ${least} to ${most} is due.\n\n${USAGE}`,
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

/** Reads the command line; throws `SimulateUsageError` with the usage. */
export const readOptions = (args: readonly string[]): SimulateOptions => {
  const { seed, seeds, blocks, ci, only, plan, keep, results } = parse(args);
  if ([seed !== undefined, seeds !== undefined, ci].filter(Boolean).length !== 1) {
    throw new SimulateUsageError(`One of --seed, --seeds and --ci is due.\n\n${USAGE}`);
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
