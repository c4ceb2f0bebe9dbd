import type { BenchOptions } from '../bench.config.js';
import type { RouteResult } from '../results.js';
import { median, rounded } from '../statistics.js';
import { printTable, thousands } from '../table.js';
import type { ApiProcess } from './api-process.js';
import type { Baseline } from './baseline.js';
import type { ConstantAnswer } from './baseline-server.js';
import { fire, type Load } from './load.js';
import type { Parameters } from './parameters.js';
import { ROUTES, type HotRoute, type Route } from './routes.js';

/** Few connections for cold requests, so that latencies show the answer and not a queue. */
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

export interface Contest {
  readonly result: RouteResult;
  readonly ours: number;
  readonly baseline: number;
  readonly baselineP99Ms: number;
  readonly bodyBytes: number;
}

/** Runs the api and the baseline in turn; returns the medians of their rates. */
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
  const p99 = (loads: readonly Load[]): number => rounded(median(loads.map((load) => load.p99Ms)), 1);
  return {
    result: { ratio: rounded(rate(mine) / rate(bare), 3), p99Ms: p99(mine) },
    ours: rate(mine),
    baseline: rate(bare),
    baselineP99Ms: p99(bare),
    bodyBytes,
  };
};

export interface Bench {
  readonly options: BenchOptions;
  readonly parameters: Parameters;
  readonly baseline: Baseline;
}

export const hot = async (
  api: ApiProcess,
  route: HotRoute,
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

export const cold = async (
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

const contestRow = (
  name: string,
  { result, ours, baseline, baselineP99Ms, bodyBytes }: Contest,
): string[] => [
  name,
  `${thousands(bodyBytes)} B`,
  thousands(ours),
  thousands(baseline),
  result.ratio.toFixed(2),
  `${result.p99Ms} ms`,
  `${baselineP99Ms} ms`,
];

export const printContests = (title: string, contests: ReadonlyMap<string, Contest>): void =>
  printTable(title, [
    ['', 'body', 'ours/s', 'bare/s', 'ratio', 'p99', 'bare p99'],
    ...[...contests].map(([name, each]) => contestRow(name, each)),
  ]);

export const resultsOf = (contests: ReadonlyMap<string, Contest>): Record<string, RouteResult> =>
  Object.fromEntries([...contests].map(([name, { result }]) => [name, result]));
