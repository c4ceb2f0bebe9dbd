import { Inject, Injectable } from '@nestjs/common';
import type { SlowQuery } from '@roundhouse/storage';
import type { Logger } from 'pino';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { LOGGER } from './logger.js';

interface ObservedRequest {
  readonly route: string;
  /** As the endpoint read them. */
  readonly parameters?: object | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
}

/** One line for each request and each query that took long, with what it was asked for. */
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

  tellQuery({ name: query, values, durationMs }: SlowQuery): void {
    this.logger.warn({ query, values, durationMs: Math.round(durationMs) }, 'a slow query');
  }
}
