import { withDatabase, type LocalPostgres } from '@roundhouse/local-postgres';
import { wholeNumberOf } from '@roundhouse/config';
import yargs from 'yargs';

const PARTS = ['index', 'tip', 'api', 'all', 'scale'];

const whole = (usual: number, least: number, description: string) => ({
  description: `${description}, at least ${least}`,
  default: usual,
  coerce: (given: string | number): number => {
    const number = wholeNumberOf(String(given), least);
    if (number !== null) return number;
    throw new Error(`"${given}" must be a whole number of ${least} or more.`);
  },
});

/** Reads the command line. Ends the process with the usage if it is wrong. */
export const readOptions = (args: readonly string[]) => {
  const { _: parts, ...options } = yargs([...args])
    .usage('npm run bench[:index|:tip|:api|:scale] -- [options]')
    .options({
      blocks: whole(200_000, 1_000, 'blocks of the chain with about one transaction per block'),
      'long-blocks': whole(1_000_000, 2_000, 'blocks of the long chain, mostly empty'),
      'scale-blocks': whole(5_000_000, 10_000, 'blocks of the chain of scale'),
      'scale-accounts': whole(400_000, 6_000, 'accounts of that chain'),
      'scale-delegates': whole(3_000, 60, 'delegates of that chain'),
      archive: {
        type: 'boolean',
        default: true,
        description: 'measures exports and proofs of the chain of scale',
      },
      repeats: whole(3, 1, 'interleaved runs of each contestant'),
      'signed-blocks': whole(10_000, 0, 'blocks with real signatures, for VERIFY=full'),
      'tip-blocks': whole(60, 1, 'blocks timed on their way from the node to the api, one per second'),
      seconds: whole(2, 1, 'duration of each load on the api, in seconds'),
      cache: { type: 'string', default: '.data/bench', description: 'keeps the chains between runs' },
      results: { type: 'string', default: 'bench/results/latest.json', description: 'gets the figures' },
    })
    .demandCommand(1, 1)
    .check(({ _: [part] }) => PARTS.includes(String(part)) || `There is no part "${part}".`)
    .version(false)
    .strictOptions()
    .parseSync();
  return { ...options, part: String(parts[0]) };
};

/** The options, and the benchmark's own PostgreSQL. */
export interface Bench extends ReturnType<typeof readOptions> {
  /** Gives an empty database to the work, after writing the memory of earlier runs to disk. */
  readonly withDatabase: <T>(work: (url: string) => Promise<T>) => Promise<T>;
}

export const databasesOf = (postgres: LocalPostgres): Bench['withDatabase'] => {
  let count = 0;
  return async (work) => {
    const name = `bench_${(count += 1)}`;
    await postgres.administer(`CREATE DATABASE ${name}`, 'CHECKPOINT');
    try {
      return await work(withDatabase(postgres.url, name));
    } finally {
      await postgres.administer(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  };
};
