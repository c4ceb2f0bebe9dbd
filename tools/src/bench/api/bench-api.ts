import { loadavg } from 'node:os';
import type { BenchOptions } from '../bench.config.js';
import type { BenchServer } from '../bench-server.js';
import { chainFile, type ChainFile } from '../chain-files.js';
import { followChain, migrateForIndexer } from '../index/indexer-run.js';
import type { ApiResults, RouteResult } from '../results.js';
import { median, rounded } from '../statistics.js';
import { printTable, thousands } from '../table.js';
import { startApi, type ApiProcess } from './api-process.js';
import { startBaseline, type Baseline } from './baseline.js';
import type { ConstantAnswer } from './baseline-server.js';
import { fire, type Load } from './load.js';
import { readParameters, type Parameters } from './parameters.js';
import { ROUTES, type Route } from './routes.js';

/** Of the answers kept by a pod as it is deployed. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024;
const NO_CACHE = 1;
const SMALL_BLOCKS = 10_000;
const FAR_OFFSET_SHARE = 0.9;
/** Few connections for what is cold: latencies then tell of the answer, not of the queue before it. */
const COLD_CONNECTIONS = 4;

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

const answerOf = async (url: string): Promise<ConstantAnswer> => {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const body = await response.text();
  const headers = [...response.headers].filter(([name]) => !HOP_BY_HOP.has(name));
  return { body, headers: Object.fromEntries(headers) };
};

const withoutLength = ({ body, headers }: ConstantAnswer): ConstantAnswer => {
  const { 'content-length': _, ...rest } = headers;
  return { body, headers: rest };
};

interface Contest {
  readonly result: RouteResult;
  readonly ours: number;
  readonly baseline: number;
  readonly bodyBytes: number;
}

/** Ours and the baseline in turn; the medians of their rates. */
const contest = async (
  repeats: number,
  ours: () => Promise<Load>,
  baseline: () => Promise<Load>,
  bodyBytes: number,
): Promise<Contest> => {
  const mine: Load[] = [];
  const bare: Load[] = [];
  for (let turn = 0; turn < repeats; turn += 1) {
    bare.push(await baseline());
    mine.push(await ours());
  }
  const rate = (loads: readonly Load[]): number => median(loads.map((load) => load.requestsPerSecond));
  return {
    result: {
      ratio: rounded(rate(mine) / rate(bare), 3),
      p99Ms: rounded(median(mine.map((load) => load.p99Ms)), 1),
    },
    ours: rate(mine),
    baseline: rate(bare),
    bodyBytes,
  };
};

interface Bench {
  readonly options: BenchOptions;
  readonly parameters: Parameters;
  readonly baseline: Baseline;
}

const hot = async (
  api: ApiProcess,
  route: Route,
  { options, parameters, baseline }: Bench,
): Promise<Contest> => {
  const path = route.path(1, parameters);
  const answer = await answerOf(`${api.url}${path}`);
  await baseline.answer(answer);
  return contest(
    options.repeats,
    () => fire(api.url, () => path, options.seconds),
    () => fire(baseline.url, () => '/constant', options.seconds),
    Buffer.byteLength(answer.body),
  );
};

const cold = async (
  api: ApiProcess,
  route: Route,
  { options, parameters, baseline }: Bench,
): Promise<Contest> => {
  const answer = withoutLength(await answerOf(`${api.url}${route.path(1, parameters)}`));
  await baseline.answer(answer);
  const queryPath = `/query/${ROUTES.indexOf(route)}`;
  return contest(
    options.repeats,
    () => fire(api.url, (n) => route.path(n, parameters), options.seconds, COLD_CONNECTIONS),
    () => fire(baseline.url, () => queryPath, options.seconds, COLD_CONNECTIONS),
    Buffer.byteLength(answer.body),
  );
};

const contestRow = (name: string, { result, ours, baseline, bodyBytes }: Contest): string[] => [
  name,
  `${thousands(bodyBytes)} B`,
  thousands(ours),
  thousands(baseline),
  result.ratio.toFixed(2),
  `${result.p99Ms} ms`,
];

const CONTEST_HEAD = ['', 'body', 'ours/s', 'bare/s', 'ratio', 'p99'];

const resultsOf = (contests: ReadonlyMap<string, Contest>): Record<string, RouteResult> =>
  Object.fromEntries([...contests].map(([name, { result }]) => [name, result]));

/** Cold latencies, one request at a time: nothing waits for anything else. */
const coldLatency = async (
  api: ApiProcess,
  route: Route,
  parameters: Parameters,
  { repeats, seconds }: BenchOptions,
): Promise<number> => {
  const p95: number[] = [];
  for (let turn = 0; turn < repeats; turn += 1) {
    p95.push(await sequentialP95(api.url, (n) => route.path(n, parameters), seconds));
  }
  return median(p95);
};

const sequentialP95 = async (
  url: string,
  pathOf: (n: number) => string,
  seconds: number,
): Promise<number> => {
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1_000;
  for (let n = 1; performance.now() < end; n += 1) {
    const started = performance.now();
    const response = await fetch(`${url}${pathOf(n)}`, { headers: { 'accept-encoding': 'identity' } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${url}${pathOf(n)} answered ${response.status}.`);
    latencies.push(performance.now() - started);
  }
  latencies.sort((a, b) => a - b);
  return latencies[Math.floor(latencies.length * 0.95)]!;
};

const growthOf = async (
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
        const before = await coldLatency(api, route, smallParameters, options);
        const after = await coldLatency(long, route, parameters, options);
        growth[route.name] = rounded(after / before, 2);
      }
      return growth;
    } finally {
      await api.stop();
    }
  });
};

/** An index of the chain while its indexer goes on to follow the source. */
const withIndex = async <T>(
  server: BenchServer,
  chain: ChainFile,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> => {
  const url = await server.createDatabase();
  try {
    migrateForIndexer(url, chain);
    return await followChain(url, chain, {}, () => work(url));
  } finally {
    await server.dropDatabase(url);
  }
};

const offsetRatioOf = async (api: ApiProcess, height: number, options: BenchOptions): Promise<number> => {
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

const onLongIndex = async (
  server: BenchServer,
  options: BenchOptions,
  databaseUrl: string,
): Promise<ApiResults> => {
  const parameters = await readParameters(databaseUrl);
  const bench: Bench = { options, parameters, baseline: await startBaseline(databaseUrl) };
  const warm = await startApi(databaseUrl, CACHE_MAX_BYTES);
  const hots = new Map<string, Contest>();
  for (const route of ROUTES) hots.set(route.name, await hot(warm, route, bench));
  const { startMs } = warm;
  const rssMiB = warm.peakRssMiB();
  await warm.stop();
  printTable(`Hot, load ${loadavg()[0]!.toFixed(1)}`, [
    CONTEST_HEAD,
    ...[...hots].map(([name, each]) => contestRow(name, each)),
  ]);

  const bare = await startApi(databaseUrl, NO_CACHE);
  const colds = new Map<string, Contest>();
  for (const route of ROUTES) colds.set(route.name, await cold(bare, route, bench));
  await bench.baseline.stop();
  printTable(`Cold, load ${loadavg()[0]!.toFixed(1)}`, [
    CONTEST_HEAD,
    ...[...colds].map(([name, each]) => contestRow(name, each)),
  ]);
  const offsetRatio = await offsetRatioOf(bare, parameters.height, options);
  const growth = await growthOf(server, options, bare, parameters);
  await bare.stop();
  printTable('Growth from the short chain to the long one, cold', [
    ...Object.entries(growth).map(([name, ratio]) => [name, ratio.toFixed(2)]),
    ['offset far against near', offsetRatio.toFixed(2)],
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

/** Serving: hot, cold, and how the cold cost grows with the chain, on the long index while its indexer follows. */
export const benchApi = async (server: BenchServer, options: BenchOptions): Promise<ApiResults> => {
  const long = chainFile(options.cacheFolder, {
    name: 'quiet',
    blocks: options.longBlocks,
    transactionsPerBlock: 0.05,
    isSigned: false,
  });
  return withIndex(server, long, (databaseUrl) => onLongIndex(server, options, databaseUrl));
};
