import type { BenchOptions } from '../bench.config.js';
import type { BenchServer } from '../bench-server.js';
import type { ChainFile } from '../chain-files.js';
import { NO_CACHE, startApi, type ApiProcess } from './api-process.js';
import { p95Ratio } from './latencies.js';
import { readParameters, type Parameters } from './parameters.js';
import { ROUTES } from './routes.js';
import { withIndex } from './with-index.js';

const FAR_OFFSET_SHARE = 0.9;

/** Cold latency on the long chain divided by that on a small one, by route. */
export const growthOf = async (
  server: BenchServer,
  options: BenchOptions,
  long: ApiProcess,
  parameters: Parameters,
  small: ChainFile,
): Promise<Record<string, number>> =>
  withIndex(server, small, async (databaseUrl) => {
    const api = await startApi(databaseUrl, NO_CACHE);
    try {
      const smallParameters = await readParameters(databaseUrl);
      const growth: Record<string, number> = {};
      for (const route of ROUTES) {
        growth[route.name] = await p95Ratio(
          { url: long.url, pathOf: (n) => route.path(n, parameters) },
          { url: api.url, pathOf: (n) => route.path(n, smallParameters) },
          options,
        );
      }
      return growth;
    } finally {
      await api.stop();
    }
  });

/** Compares pages far down the chain with those at its top. */
export const offsetRatioOf = (
  { url }: ApiProcess,
  height: number,
  options: BenchOptions,
): Promise<number> => {
  const far = Math.floor(height * FAR_OFFSET_SHARE);
  const page = (offset: number): string => `/api/blocks?limit=100&offset=${offset}`;
  return p95Ratio(
    { url, pathOf: (n) => page(far - (n % 1_000)) },
    { url, pathOf: (n) => page(n % 1_000) },
    options,
  );
};
