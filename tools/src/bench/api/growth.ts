import type { BenchOptions } from '../bench.config.js';
import type { BenchServer } from '../bench-server.js';
import { chainFile } from '../chain-files.js';
import { median, rounded } from '../statistics.js';
import { NO_CACHE, startApi, type ApiProcess } from './api-process.js';
import { coldLatencies, sequentialP95 } from './latencies.js';
import { readParameters, type Parameters } from './parameters.js';
import { ROUTES } from './routes.js';
import { withIndex } from './with-index.js';

const SMALL_BLOCKS = 10_000;
const FAR_OFFSET_SHARE = 0.9;

/** Cold latency on the long chain as a multiple of that on a short one, by route. */
export const growthOf = async (
  server: BenchServer,
  options: BenchOptions,
  long: ApiProcess,
  parameters: Parameters,
): Promise<Record<string, number>> => {
  const small = chainFile(options.cacheFolder, {
    name: 'quiet',
    blocks: Math.min(SMALL_BLOCKS, options.longBlocks),
    transactionsPerBlock: 0.05,
    isSigned: false,
  });
  return withIndex(server, small, async (databaseUrl) => {
    const api = await startApi(databaseUrl, NO_CACHE);
    try {
      const smallParameters = await readParameters(databaseUrl);
      const growth: Record<string, number> = {};
      for (const route of ROUTES) {
        const contestants = [
          { api, parameters: smallParameters },
          { api: long, parameters },
        ];
        const [before, after] = await coldLatencies(route, contestants, options);
        growth[route.name] = rounded(after! / before!, 2);
      }
      return growth;
    } finally {
      await api.stop();
    }
  });
};

/** Pages far down the chain against those at its top. */
export const offsetRatioOf = async (
  api: ApiProcess,
  height: number,
  options: BenchOptions,
): Promise<number> => {
  const far = Math.floor(height * FAR_OFFSET_SHARE);
  const near: number[] = [];
  const remote: number[] = [];
  for (let turn = 0; turn < options.repeats; turn += 1) {
    near.push(
      await sequentialP95(api.url, (n) => `/api/blocks?limit=100&offset=${n % 1_000}`, options.seconds),
    );
    remote.push(
      await sequentialP95(
        api.url,
        (n) => `/api/blocks?limit=100&offset=${far - (n % 1_000)}`,
        options.seconds,
      ),
    );
  }
  return rounded(median(remote) / median(near), 2);
};
