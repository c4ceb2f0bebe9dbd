import { describe, expect, it } from '@jest/globals';
import { Histogram, Registry } from 'prom-client';
import { RequestTimes } from './request-times.js';

describe('RequestTimes', () => {
  it("tells Prometheus what prom-client's own histogram tells of the same requests", async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const times = new RequestTimes();
    ours.registerMetric(times.asMetric);
    const histogram = new Histogram({
      name: times.name,
      help: 'Time to answer, by route and status.',
      labelNames: ['route', 'status'],
      buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
      registers: [theirs],
    });
    const seen: [string, number, number][] = [
      ['/api/blocks', 200, 0],
      ['/api/blocks', 200, 0.5],
      ['/api/blocks', 200, 0.50001],
      ['/api/blocks', 404, 7],
      ['none', 404, 5000],
      ['none', 404, 60_000],
    ];
    for (const [route, status, elapsedMs] of seen) {
      times.observe(route, status, elapsedMs);
      histogram.labels(route, String(status)).observe(elapsedMs / 1000);
    }
    expect(await ours.metrics()).toContain('{le="0.0005",route="/api/blocks",status="200"} 2');
    expect(await ours.metrics()).toBe(await theirs.metrics());
  });
});
