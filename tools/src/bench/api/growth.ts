import type { Bench } from '../bench.config.js';
import type { ChainFile } from '../chain-files.js';
import { withIndex } from '../index/indexer-run.js';
import { median, rounded } from '../statistics.js';
import { NO_CACHE, withApi, type Api } from '../with-program.js';
import { fire } from './load.js';
import { readParameters, type Parameters } from './parameters.js';
import { ROUTES } from './routes.js';

const FAR_OFFSET_SHARE = 0.9;

/** The requests, and the server that gets them. */
interface Asked {
  readonly url: string;
  readonly pathOf: (n: number) => string;
}

/**
 * Measures two 95th percentiles several times and returns the ratio of their medians. They are measured in turn, so that
 * other load affects both, and with one request after the other, so that nothing queues.
 */
const p95Ratio = async ({ repeats, seconds }: Bench, one: Asked, other: Asked): Promise<number> => {
  const p95 = async ({ url, pathOf }: Asked): Promise<number> =>
    (await fire(url, pathOf, { seconds })).latency(0.95);
  const ones: number[] = [];
  const others: number[] = [];
  for (let turn = 0; turn < repeats; turn += 1) {
    others.push(await p95(other));
    ones.push(await p95(one));
  }
  return rounded(median(ones) / median(others), 2);
};

/** Cold latency on the long chain divided by that on a small one, by route. */
export const growthOf = (
  bench: Bench,
  long: Api,
  parameters: Parameters,
  small: ChainFile,
): Promise<Record<string, number>> =>
  withIndex(bench, small, (databaseUrl) =>
    withApi(databaseUrl, NO_CACHE, async (api) => {
      const smallParameters = await readParameters(databaseUrl);
      const growth: Record<string, number> = {};
      for (const { name, path } of ROUTES) {
        growth[name] = await p95Ratio(
          bench,
          { url: long.url, pathOf: (n) => path(n, parameters) },
          { url: api.url, pathOf: (n) => path(n, smallParameters) },
        );
      }
      return growth;
    }),
  );

/** Compares pages far down the chain with those at its top. */
export const offsetRatioOf = (bench: Bench, { url }: Api, height: number): Promise<number> => {
  const far = Math.floor(height * FAR_OFFSET_SHARE);
  const page = (offset: number): string => `/api/blocks?limit=100&offset=${offset}`;
  return p95Ratio(
    bench,
    { url, pathOf: (n) => page(far - (n % 1_000)) },
    { url, pathOf: (n) => page(n % 1_000) },
  );
};
