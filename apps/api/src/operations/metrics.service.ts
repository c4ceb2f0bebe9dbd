import { Injectable } from '@nestjs/common';
import { ScrapedMetrics } from '@roundhouse/operations';
import { Histogram } from 'prom-client';

@Injectable()
export class Metrics extends ScrapedMetrics {
  private readonly requests = new Histogram({
    name: 'roundhouse_http_request_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [this.registry],
  });

  /** By route and status: looking up the labels again costs more than the observation. */
  private readonly series = new Map<string, Map<number, Histogram.Internal<'route' | 'status'>>>();

  observeRequest(route: string, status: number, elapsedMs: number): void {
    let byStatus = this.series.get(route);
    if (!byStatus)
      this.series.set(route, (byStatus = new Map<number, Histogram.Internal<'route' | 'status'>>()));
    let series = byStatus.get(status);
    if (!series) byStatus.set(status, (series = this.requests.labels(route, String(status))));
    series.observe(elapsedMs / 1000);
  }
}
