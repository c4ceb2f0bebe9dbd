import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { Metrics } from '../operations/metrics.service.js';

const REPEAT_MS = 60_000;

/** Logs one line when the source stops answering, one a minute while it is away, and one when it answers again. */
@Injectable()
export class SourceWatch {
  private failingSince: number | null = null;
  private saidAt = -Infinity;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  failed(error: Error): void {
    this.metrics.countSourceError(error);
    const now = performance.now();
    this.failingSince ??= now;
    if (now - this.saidAt < REPEAT_MS) return;
    this.saidAt = now;
    const seconds = Math.round((now - this.failingSince) / 1000);
    this.logger.warn({ reason: error.message, seconds }, 'the source does not answer; trying again');
  }

  answered(): void {
    if (this.failingSince === null) return;
    const seconds = Math.round((performance.now() - this.failingSince) / 1000);
    this.failingSince = null;
    this.saidAt = -Infinity;
    this.logger.info({ seconds }, 'the source answers again');
  }
}
