import { loadavg } from 'node:os';
import type { BenchOptions } from '../bench.config.js';
import type { BenchServer } from '../bench-server.js';
import { quietChain, shortChain } from '../chain-files.js';
import type { ApiResults } from '../results.js';
import { printTable } from '../table.js';
import { CACHE_MAX_BYTES, NO_CACHE, startApi } from './api-process.js';
import { startBaseline } from './baseline.js';
import { cold, hot, printContests, resultsOf, type Bench, type Contest } from './contests.js';
import { crowdLatencies } from './crowd.js';
import { growthOf, offsetRatioOf } from './growth.js';
import { readParameters } from './parameters.js';
import { DIALECT_ROUTES, ROUTES } from './routes.js';
import { withIndex } from './with-index.js';

const onLongIndex = async (
  server: BenchServer,
  options: BenchOptions,
  databaseUrl: string,
): Promise<Omit<ApiResults, 'crowd'>> => {
  const parameters = await readParameters(databaseUrl);
  const bench: Bench = { options, parameters, baseline: await startBaseline(databaseUrl) };
  const warm = await startApi(databaseUrl, CACHE_MAX_BYTES);
  const hots = new Map<string, Contest>();
  for (const route of [...ROUTES, ...DIALECT_ROUTES]) hots.set(route.name, await hot(warm, route, bench));
  const { startMs } = warm;
  const rssMiB = warm.peakRssMiB();
  await warm.stop();
  printContests(`Hot, load ${loadavg()[0]!.toFixed(1)}`, hots);

  const bare = await startApi(databaseUrl, NO_CACHE);
  const colds = new Map<string, Contest>();
  for (const route of ROUTES) colds.set(route.name, await cold(bare, route, bench));
  await bench.baseline.stop();
  printContests(`Cold, load ${loadavg()[0]!.toFixed(1)}`, colds);
  const offsetRatio = await offsetRatioOf(bare, parameters.height, options);
  const small = await shortChain(options.cacheFolder, options.longBlocks);
  const growth = await growthOf(server, options, bare, parameters, small);
  await bare.stop();
  printTable('Growth from the short chain to the long one, cold', [
    ...Object.entries(growth).map(([name, ratio]) => [name, ratio.toFixed(2)]),
    ['large offset against small', offsetRatio.toFixed(2)],
  ]);
  return {
    hot: resultsOf(hots),
    cold: resultsOf(colds),
    growth,
    offsetRatio,
    rssMiB: Math.round(rssMiB),
    startMs: Math.round(startMs),
  };
};

/**
 * Measures serving: hot, cold, and how the cold cost grows with the chain. Runs on the long index while its indexer
 * follows.
 */
export const benchApi = async (server: BenchServer, options: BenchOptions): Promise<ApiResults> => {
  const long = await quietChain(options.cacheFolder, options.longBlocks);
  const results = await withIndex(server, long, (databaseUrl) => onLongIndex(server, options, databaseUrl));
  const crowd = await crowdLatencies(server, options);
  printTable('A crowd: 20,000 voters of one of 5,000 delegates, cold, means', [
    ['all its voters', `${crowd.votersMs} ms`, 'at most 50'],
    ['a search that finds few', `${crowd.searchMs} ms`, 'at most 2'],
    ['a search that finds all', `${crowd.searchOfAllMs} ms`, 'at most 2'],
  ]);
  return { ...results, crowd };
};
