import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { RequestTimes } from './request-times.js';

type Read = () => number | null | undefined;

/** What Prometheus reads. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  private readonly requestTimes = new RequestTimes();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.registry.registerMetric(this.requestTimes.asMetric);
  }

  observeRequest(route: string, status: number, elapsedMs: number): void {
    this.requestTimes.observe(route, status, elapsedMs);
  }

  /** A figure that is read when Prometheus asks; null is left out. */
  gauge(name: string, help: string, read: Read): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        const value = read();
        // Without its one value, a gauge without labels would tell 0.
        if (value === null || value === undefined) this.remove();
        else this.set(value);
      },
    });
  }

  /** A number that only grows, counted elsewhere without a cost and read when Prometheus asks. */
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
