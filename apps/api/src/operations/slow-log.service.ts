import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { SETTINGS, type ApiSettings } from '../api.config.js';

interface ObservedRequest {
  readonly route: string;
  /** As the endpoint parsed them. */
  readonly parameters?: object | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
}

/** Logs each slow request with its parameters; `logSlowQueries` does the same for queries. */
@Injectable()
export class SlowLog {
  private readonly slowRequestMs: number;

  constructor(
    @Inject(SETTINGS) settings: ApiSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.slowRequestMs = settings.SLOW_REQUEST_MS || Infinity;
  }

  observeRequest({ durationMs, ...request }: ObservedRequest): void {
    if (durationMs < this.slowRequestMs) return;
    this.logger.warn({ ...request, durationMs: Math.round(durationMs) }, 'a slow request');
  }
}
