import type { Logger } from 'pino';
import { interceptQueries } from './intercept-queries.js';

const MOST_CHARACTERS = 200;

/** Bytes up to this length, such as ids and keys, are logged as PostgreSQL writes them. */
const LONGEST_BYTES = 64;

/** A staged range has megabytes, a batch thousands of values: too much for a log. */
const shortened = (value: unknown): unknown => {
  if (Buffer.isBuffer(value))
    return value.length > LONGEST_BYTES ? `${value.length} bytes` : `\\x${value.toString('hex')}`;
  if (Array.isArray(value)) return `${value.length} values`;
  return typeof value === 'string' ? value.slice(0, MOST_CHARACTERS) : value;
};

/**
 * Logs each statement of a client or a pool that takes `slowMs` or longer, including the wait for a connection and
 * statements that fail; 0 logs none. Streams, such as COPY, are not logged.
 */
export const logSlowQueries = (connection: object, slowMs: number, logger: Logger): void => {
  if (slowMs === 0) return;
  interceptQueries(connection, ({ name, text, values = [], submit }) => {
    if (submit !== undefined || text === undefined) return null;
    const startedAt = performance.now();
    return () => {
      const durationMs = performance.now() - startedAt;
      if (durationMs < slowMs) return;
      const query = name ?? text.replace(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS);
      logger.warn(
        { query, values: values.map(shortened), durationMs: Math.round(durationMs) },
        'a slow query',
      );
    };
  });
};
