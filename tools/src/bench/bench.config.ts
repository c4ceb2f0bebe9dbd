import { parseArgs } from 'node:util';
import { wholeNumberOf } from '@roundhouse/config';

/** `all` is the first three. The scale takes hours, so it runs only by its name. */
const PARTS = ['index', 'tip', 'api', 'all', 'scale'] as const;

export interface BenchOptions {
  readonly part: (typeof PARTS)[number];
  /** The number of blocks of the chain with about one transaction per block. */
  readonly blocks: number;
  /** The number of blocks of the long chain, mostly empty. */
  readonly longBlocks: number;
  /** The number of blocks of the chain of `scale`, with about one transaction per block. */
  readonly scaleBlocks: number;
  /** The number of accounts of that chain. */
  readonly scaleAccounts: number;
  /** The number of delegates of that chain. */
  readonly scaleDelegates: number;
  /** The number of interleaved runs of each contestant. */
  readonly repeats: number;
  /** The number of blocks with real signatures, for VERIFY=full. */
  readonly signedBlocks: number;
  /** The number of blocks timed on their way from the node to the api, one per second. */
  readonly tipBlocks: number;
  /** The duration of each load on the api, in seconds. */
  readonly seconds: number;
  /** The folder that keeps chain files between runs. */
  readonly cacheFolder: string;
  readonly resultsFile: string;
}

const USAGE =
  'Usage: npm run bench[:index|:tip|:api|:scale] -- [--blocks 200000] [--long-blocks 1000000] [--scale-blocks 5000000] [--scale-accounts 400000] [--scale-delegates 3000] [--repeats 3] [--signed-blocks 10000] [--tip-blocks 60] [--seconds 2] [--cache .data/bench] [--results bench/results/latest.json]';

export class BenchUsageError extends Error {}

const whole = (name: string, text: string, least: number): number => {
  const number = wholeNumberOf(text, least);
  if (number !== null) return number;
  throw new BenchUsageError(
    `--${name} is "${text}", but it must be a whole number of ${least} or more.\n${USAGE}`,
  );
};

/** Parses the command line. Throws `BenchUsageError` with the usage. */
export const readOptions = (args: readonly string[]): BenchOptions => {
  const [wanted = 'all', ...flags] = args;
  const part = PARTS.find((each) => each === wanted);
  if (part === undefined) throw new BenchUsageError(USAGE);
  const { values } = parseArgs({
    args: flags,
    options: {
      blocks: { type: 'string', default: '200000' },
      'long-blocks': { type: 'string', default: '1000000' },
      'scale-blocks': { type: 'string', default: '5000000' },
      'scale-accounts': { type: 'string', default: '400000' },
      'scale-delegates': { type: 'string', default: '3000' },
      repeats: { type: 'string', default: '3' },
      'signed-blocks': { type: 'string', default: '10000' },
      'tip-blocks': { type: 'string', default: '60' },
      seconds: { type: 'string', default: '2' },
      cache: { type: 'string', default: '.data/bench' },
      results: { type: 'string', default: 'bench/results/latest.json' },
    },
  });
  return {
    part,
    blocks: whole('blocks', values.blocks, 1_000),
    longBlocks: whole('long-blocks', values['long-blocks'], 2_000),
    scaleBlocks: whole('scale-blocks', values['scale-blocks'], 10_000),
    scaleAccounts: whole('scale-accounts', values['scale-accounts'], 6_000),
    scaleDelegates: whole('scale-delegates', values['scale-delegates'], 60),
    repeats: whole('repeats', values.repeats, 1),
    signedBlocks: whole('signed-blocks', values['signed-blocks'], 0),
    tipBlocks: whole('tip-blocks', values['tip-blocks'], 1),
    seconds: whole('seconds', values.seconds, 1),
    cacheFolder: values.cache,
    resultsFile: values.results,
  };
};
