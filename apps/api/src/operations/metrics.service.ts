import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

type Read = () => number | null | undefined;

/** The metrics that Prometheus reads. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'roundhouse_http_request_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [this.registry],
  });

  /** By route and status: looking up the labels again costs more than the observation. */
  private readonly series = new Map<string, Map<number, Histogram.Internal<'route' | 'status'>>>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  observeRequest(route: string, status: number, elapsedMs: number): void {
    let byStatus = this.series.get(route);
    if (!byStatus)
      this.series.set(route, (byStatus = new Map<number, Histogram.Internal<'route' | 'status'>>()));
    let series = byStatus.get(status);
    if (!series) byStatus.set(status, (series = this.requests.labels(route, String(status))));
    series.observe(elapsedMs / 1000);
  }

  /** A metric that is read at each scrape; null omits it. */
  gauge(name: string, help: string, read: Read): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        const value = read();
        // A gauge without labels reports 0 unless it is removed.
        if (value === null || value === undefined) this.remove();
        else this.set(value);
      },
    });
  }

  /** A number that only grows. It is counted elsewhere, at no cost, and read at each scrape. */
  counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}
