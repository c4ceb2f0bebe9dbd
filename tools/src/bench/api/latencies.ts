import type { BenchOptions } from '../bench.config.js';
import { median, quantile } from '../statistics.js';
import type { ApiProcess } from './api-process.js';
import type { Parameters } from './parameters.js';
import type { Route } from './routes.js';

/** Of requests one after the other, each with another path: nothing waits for anything else; in ms. */
export const sequentialP95 = async (
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
  return quantile(latencies, 0.95);
};

/** The median of the runs' 95th percentiles on either api, ms; in turn, so that what else the machine does tells on both. */
export const coldLatencies = async (
  route: Route,
  contestants: readonly { readonly api: ApiProcess; readonly parameters: Parameters }[],
  { repeats, seconds }: BenchOptions,
): Promise<number[]> => {
  const p95 = contestants.map((): number[] => []);
  for (let turn = 0; turn < repeats; turn += 1) {
    for (const [place, { api, parameters }] of contestants.entries()) {
      p95[place]!.push(await sequentialP95(api.url, (n) => route.path(n, parameters), seconds));
    }
  }
  return p95.map(median);
};
