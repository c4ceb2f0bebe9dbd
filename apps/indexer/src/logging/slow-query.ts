import type { SlowQuery } from '@roundhouse/storage';
import type { Logger } from 'pino';

/** In the words of the api, so that one search finds both. */
export const logSlowQuery =
  (logger: Logger) =>
  ({ name: query, values, durationMs }: SlowQuery): void => {
    logger.warn({ query, values, durationMs: Math.round(durationMs) }, 'a slow query');
  };
