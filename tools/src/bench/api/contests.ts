import type { Bench } from '../bench.config.js';
import { median, rounded } from '../statistics.js';
import type { Api } from '../with-program.js';
import type { Baseline } from './baseline.js';
import type { ConstantAnswer } from './baseline-server.js';
import { CONNECTIONS, fire, type Load } from './load.js';
import type { Parameters } from './parameters.js';
import { ROUTES, type HotRoute } from './routes.js';

/** Few connections for cold requests, so that latencies show the answer and not a queue. */
const COLD_CONNECTIONS = 4;

/** Headers that the baseline makes itself. */
const NOT_COPIED = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date', 'content-length']);

const answerOf = async (url: string): Promise<ConstantAnswer> => {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const headers = [...response.headers].filter(([name]) => !NOT_COPIED.has(name)).flat();
  return { body: await response.text(), headers };
};

const rateOf = (loads: readonly Load[]): number =>
  Math.round(median(loads.map(({ perSecond }) => perSecond)));

const p99Of = (loads: readonly Load[]): number =>
  rounded(median(loads.map(({ latency }) => latency(0.99))), 1);

interface Contestants {
  readonly bench: Bench;
  readonly parameters: Parameters;
  readonly api: Api;
  readonly baseline: Baseline;
}

/**
 * Runs the api and the baseline in turn; compares the medians of their rates. `hot`: one URL, and an answer that the
 * baseline was given. `cold`: another parameter each time, and a bare query.
 */
const contest = async (
  kind: 'hot' | 'cold',
  route: HotRoute,
  { bench: { repeats, seconds }, parameters, api, baseline }: Contestants,
) => {
  const answer = await answerOf(`${api.url}${route.path(1, parameters)}`);
  await baseline.answer(answer);
  const isHot = kind === 'hot';
  const barePath = isHot ? '/constant' : `/query/${ROUTES.findIndex(({ name }) => name === route.name)}`;
  const options = { seconds, connections: isHot ? CONNECTIONS : COLD_CONNECTIONS };
  const ours: Load[] = [];
  const bare: Load[] = [];
  for (let turn = 0; turn < repeats; turn += 1) {
    bare.push(await fire(baseline.url, () => barePath, options));
    ours.push(await fire(api.url, (n) => route.path(isHot ? 1 : n, parameters), options));
  }
  return {
    ratio: rounded(rateOf(ours) / rateOf(bare), 3),
    p99Ms: p99Of(ours),
    bareP99Ms: p99Of(bare),
    perSecond: rateOf(ours),
    barePerSecond: rateOf(bare),
    bodyBytes: Buffer.byteLength(answer.body),
  };
};

/** The results by route. */
export const contests = async (
  kind: 'hot' | 'cold',
  routes: readonly HotRoute[],
  contestants: Contestants,
): Promise<Record<string, Awaited<ReturnType<typeof contest>>>> => {
  const results: Record<string, Awaited<ReturnType<typeof contest>>> = {};
  for (const route of routes) results[route.name] = await contest(kind, route, contestants);
  return results;
};
