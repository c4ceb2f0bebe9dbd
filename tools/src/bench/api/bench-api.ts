import type { Bench } from '../bench.config.js';
import { quietChain, SHORT_BLOCKS } from '../chain-files.js';
import { withIndex } from '../index/indexer-run.js';
import { CACHE_MAX_BYTES, NO_CACHE, withApi } from '../with-program.js';
import { withBaseline } from './baseline.js';
import { contests } from './contests.js';
import { crowdLatencies } from './crowd.js';
import { growthOf, offsetRatioOf } from './growth.js';
import { readParameters } from './parameters.js';
import { CORE_V1_ROUTES, CORE_V2_ROUTES, ROUTES } from './routes.js';
import { benchVersion2 } from './version-2.js';

/**
 * Measures serving: hot, cold, and how the cold cost grows with the chain, on the long index while its indexer follows;
 * then version 2 of Core, and what a crowd costs.
 */
export const benchApi = async (bench: Bench) => {
  const short = await quietChain(bench.cache, Math.min(SHORT_BLOCKS, bench.longBlocks));
  const long = await quietChain(bench.cache, bench.longBlocks);
  const results = await withIndex(bench, long, (databaseUrl) =>
    withBaseline(databaseUrl, async (baseline) => {
      const parameters = await readParameters(databaseUrl);
      const warm = await withApi(databaseUrl, CACHE_MAX_BYTES, async (api) => ({
        hot: await contests('hot', [...ROUTES, ...CORE_V1_ROUTES, ...CORE_V2_ROUTES], {
          bench,
          parameters,
          api,
          baseline,
        }),
        rssMiB: api.program.peakMiB,
        startMs: api.startMs,
      }));
      const bare = await withApi(databaseUrl, NO_CACHE, async (api) => ({
        cold: await contests('cold', ROUTES, { bench, parameters, api, baseline }),
        growth: await growthOf(bench, api, parameters, short),
        offsetRatio: await offsetRatioOf(bench, api, parameters.height),
      }));
      return { ...warm, ...bare, v2: await benchVersion2(bench, databaseUrl) };
    }),
  );
  return { ...results, crowd: await crowdLatencies(bench, short) };
};
