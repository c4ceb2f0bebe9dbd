import { Inject, Injectable } from '@nestjs/common';
import type { SlowQuery } from '@roundhouse/storage';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { LOGGER } from './logger.js';

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

  observeRequest(request: FastifyRequest, route: string, status: number, durationMs: number): void {
    if (durationMs < this.slowRequestMs) return;
    const { parameters, id: requestId } = request;
    this.logger.warn(
      { route, parameters, status, durationMs: Math.round(durationMs), requestId },
      'a slow request',
    );
  }

  tellQuery({ name: query, values, durationMs }: SlowQuery): void {
    this.logger.warn({ query, values, durationMs: Math.round(durationMs) }, 'a slow query');
  }
}
