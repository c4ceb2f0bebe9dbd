import { ApiError, NetworkError, TimeoutError } from '../errors.js';
import { wait } from './wait.js';

export interface RetryOptions {
  readonly retries: number;
  readonly backoffMs: number;
  readonly longestWaitMs: number;
}

const TRANSIENT: ReadonlySet<number> = new Set([429, 503]);

const waitOf = (error: Error): number => (error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0);

const isTransient = (error: Error): boolean =>
  error instanceof NetworkError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && TRANSIENT.has(error.status));

/** Repeats idempotent work after transient failures, with a pause that grows. `signal` ends the pause, too. */
export const retrying = async <T>(
  work: () => Promise<T>,
  { retries, backoffMs, longestWaitMs }: RetryOptions,
  signal: AbortSignal,
): Promise<T> => {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const waitMs = waitOf(error as Error);
      if (failures >= retries || !isTransient(error as Error) || waitMs > longestWaitMs) throw error;
      const pauseMs = backoffMs * 2 ** failures * (0.5 + Math.random());
      await wait(Math.max(pauseMs, waitMs), signal);
    }
  }
};
