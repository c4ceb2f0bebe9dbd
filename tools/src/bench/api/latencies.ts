import type { BenchOptions } from '../bench.config.js';
import { median, quantile, rounded } from '../statistics.js';

/** Sends requests one after the other, so that nothing queues. Each has another path. Returns the percentile in ms. */
const sequentialP95 = async ({ url, pathOf }: Asked, seconds: number): Promise<number> => {
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

/** The requests, and the server that gets them. */
export interface Asked {
  readonly url: string;
  readonly pathOf: (n: number) => string;
}

/**
 * Measures two 95th percentiles several times and returns the ratio of their medians. They are measured in turn, so that
 * other load affects both.
 */
export const p95Ratio = async (
  one: Asked,
  other: Asked,
  { repeats, seconds }: BenchOptions,
): Promise<number> => {
  const ones: number[] = [];
  const others: number[] = [];
  for (let turn = 0; turn < repeats; turn += 1) {
    others.push(await sequentialP95(other, seconds));
    ones.push(await sequentialP95(one, seconds));
  }
  return rounded(median(ones) / median(others), 2);
};
