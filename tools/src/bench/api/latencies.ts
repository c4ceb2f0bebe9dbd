import type { BenchOptions } from '../bench.config.js';
import { median, quantile, rounded } from '../statistics.js';

/** Of requests one after the other, each with another path: nothing waits for anything else; in ms. */
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

/** What is asked, and where. */
export interface Asked {
  readonly url: string;
  readonly pathOf: (n: number) => string;
}

/** The median of one's 95th percentiles by that of the other's; in turn, so that what else the machine does tells on both. */
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
