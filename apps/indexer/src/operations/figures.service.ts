import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { BatchReport } from '../apply/apply-outcome.js';
import { PositionService } from '../follow/position.service.js';

/** What Prometheus reads. */
@Injectable()
export class Figures {
  readonly registry = new Registry();

  private readonly blocks = this.counter(
    'roundhouse_blocks_applied_total',
    'Blocks applied by this process.',
  );
  private readonly transactions = this.counter(
    'roundhouse_transactions_applied_total',
    'Transactions applied by this process.',
  );
  private readonly forks = this.counter('roundhouse_forks_total', 'Forks followed by this process.');
  private readonly undone = this.counter('roundhouse_blocks_undone_total', 'Blocks undone by this process.');

  /** Whether this process writes the index. */
  leads = false;

  constructor(position: PositionService) {
    this.gauge(
      'roundhouse_head_height',
      'Height of the newest indexed block.',
      () => position.current.head?.height,
    );
    this.gauge(
      'roundhouse_source_height',
      'Height of the newest block of the source.',
      () => position.current.sourceHeight,
    );
    this.gauge(
      'roundhouse_lag_blocks',
      'Blocks that the source has and the index has not.',
      () => position.lag,
    );
    this.gauge('roundhouse_leads', 'Whether this process writes the index (1) or not (0).', () =>
      Number(this.leads),
    );
    collectDefaultMetrics({ register: this.registry });
  }

  countBatch({ blocks, transactions }: BatchReport): void {
    this.blocks.inc(blocks);
    this.transactions.inc(transactions);
  }

  countFork(depth: number): void {
    this.forks.inc();
    this.undone.inc(depth);
  }

  private counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] });
  }

  private gauge(name: string, help: string, read: () => number | null | undefined): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        const value = read();
        if (value !== null && value !== undefined) this.set(value);
      },
    });
  }
}
