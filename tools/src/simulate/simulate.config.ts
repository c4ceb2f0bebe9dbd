import { wholeNumberOf } from '@roundhouse/config';
import yargs from 'yargs';

const MOST_SEED = 4_294_967_295;

const whole = (text: string, least: number, most: number): number => {
  const number = wholeNumberOf(text, least, most);
  if (number !== null) return number;
  throw new Error(`"${text}" must be a whole number from ${least} to ${most}.`);
};

/** The seeds of `7` or `1..50`. */
const seedsIn = (text: string): number[] => {
  const [first = '', last = first] = text.split('..');
  const from = whole(first, 0, MOST_SEED);
  const to = whole(last, from, MOST_SEED);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
};

/** Reads the command line. Ends the process with the usage if it is wrong. */
export const readOptions = (args: readonly string[]) =>
  yargs([...args])
    .usage('npm run simulate -- --seed 7 --blocks 300\nExit code: 0 if nothing was found, otherwise 1.')
    .options({
      seeds: { alias: 'seed', type: 'string', coerce: seedsIn, description: 'one run per seed: 7, or 1..50' },
      ci: { type: 'boolean', description: 'the fixed seeds that CI runs', conflicts: 'seeds' },
      blocks: {
        default: 300,
        coerce: (given: string | number) => whole(String(given), 50, 1_000_000),
        description: 'length of the chain',
      },
      only: { type: 'string', description: 'only the disturbances whose line contains these words' },
      plan: { type: 'boolean', default: false, description: 'only print the plan' },
      keep: { type: 'boolean', default: false, description: 'keep the folder even if nothing was found' },
      results: { type: 'string', description: 'a file to which one line of JSON per run is appended' },
    })
    .check(({ seeds, ci }) => (seeds ?? ci) !== undefined || 'Either --seed, --seeds or --ci is required.')
    .version(false)
    .strict()
    .parseSync();
